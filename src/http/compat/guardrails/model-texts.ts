/** Where texts stand in what goes to a language model and comes from it: chat, completions, responses and embeddings of OpenAI, messages of Anthropic. */

type Path = readonly (string | number)[];
type Json = Record<string | number, unknown>;

export interface ModelTexts {
  readonly texts: readonly string[];
  /** Whether parts are no texts: images, sound, files, tokens. */
  readonly hasOthers: boolean;
  /** A copy with these texts in the places of those. */
  with(texts: readonly string[]): Json;
}

const ROOTS = ['system', 'instructions', 'messages', 'prompt', 'input', 'choices', 'content', 'output'];
const WITHIN = ['message', 'content', 'text'];
const NO_TEXT = /image|audio|video|file|document/;

/** @returns undefined where no member is known */
export function textsIn(json: Json): ModelTexts | undefined {
  const roots = ROOTS.filter((name) => Object.hasOwn(json, name));
  if (roots.length === 0) return undefined;
  const found: { readonly path: Path; readonly text: string }[] = [];
  let hasOthers = false;
  const look = (value: unknown, path: Path): void => {
    if (typeof value === 'string') found.push({ path, text: value });
    else if (Array.isArray(value)) value.forEach((each, index) => look(each, [...path, index]));
    else if (isObject(value)) {
      if (typeof value.type === 'string' && NO_TEXT.test(value.type)) hasOthers = true;
      for (const name of WITHIN) if (Object.hasOwn(value, name)) look(value[name], [...path, name]);
    } else if (value !== null) hasOthers = true;
  };
  for (const name of roots) look(json[name], [name]);
  return {
    texts: found.map(({ text }) => text),
    hasOthers,
    with: (texts) =>
      found.reduce<unknown>(
        (copy, { path, text }, index) => (texts[index] === text ? copy : withText(copy, path, texts[index] ?? '')),
        json,
      ) as Json,
  };
}

/** Copies what is on the path alone. */
function withText(value: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => (index === name ? withText(each, rest, text) : each));
  }
  return isObject(value) ? { ...value, [name]: withText(value[name], rest, text) } : value;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
