/**
 * Finds the markup of HTML in a text, by the grammar of the standard, and tells it from code and mathematics that only look like it. Knows
 * nothing of what is done about it.
 */
import { ErrorCodes, foreignContent, html, type Token, Tokenizer, TokenizerMode } from 'parse5';
import { isKnownWord } from '../words/familiar-words.js';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A tag, a comment, or the content of an element that shows none. Offsets into the text. */
export interface Construct extends Range {
  /** What it holds beside its name. */
  readonly inside: Range;
  /** As a line break or the border of a paragraph does. */
  readonly partsWords: boolean;
}

interface Candidate extends Construct {
  /** Of the element that it opens or closes. */
  readonly name: string | undefined;
  /** Markup wherever it stands. What is not is markup within a word, and where others of its name are. */
  readonly isSure: boolean;
  /** Markup only where it parts a word that people know: "a<b && c>d" is code. */
  readonly isDoubtful: boolean;
}

/** Elements that part words and are written without an end. */
const UNCLOSED = ['br', 'dd', 'dt', 'hr', 'li', 'p', 'td', 'th', 'tr'];
/** What a browser begins a new line for (HTML standard, section 15.3), and cells of tables. */
const BLOCK = new Set([
  ...UNCLOSED,
  ...['address', 'article', 'aside', 'blockquote', 'caption', 'center', 'details', 'dialog', 'div', 'dl', 'fieldset'],
  ...[
    'figcaption',
    'figure',
    'footer',
    'form',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'header',
    'main',
    'menu',
    'nav',
    'ol',
  ],
  ...['option', 'pre', 'section', 'summary', 'table', 'tbody', 'tfoot', 'thead', 'ul'],
]);

/** Elements whose content is no markup, as the standard's tree construction tells its tokenizer. */
const RAW_CONTENT = new Map<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['noscript', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
]);
/** Elements of grammars of their own, in which no content is raw. */
const FOREIGN = new Set(['svg', 'math']);
/** Elements whose content is no part of the text around them. */
const APART = new Set([
  ...['script', 'style', 'iframe', 'noembed', 'noframes', 'noscript', 'title'],
  ...['datalist', 'rp', 'svg', 'template'],
]);

const TAG_OR_COMMENT = /<[a-z/!?]/iu;
const BETWEEN_WORDS = /(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/gu;
/** In a name: "x-y", "svg:g". */
const JOINT = /^[-_.:]$/u;
/** Not "==" of code. */
const QUOTED_VALUE = /[^=!<>]=\s*["']/u;
/** What begins markup wherever it stands; other comments of a browser's ("<?x?>", "</3>") may be code or a broken heart. */
const COMMENT_MARK = /^<!(?:--|\[CDATA\[|doctype\b)/iu;
const COMMENT_END = /(?:--!?|\]\]|\?)>$/u;

/** In the order of the text, none overlapping another. Takes time linear in its length. */
export function constructsOf(text: string): readonly Construct[] {
  const candidates = TAG_OR_COMMENT.test(text) ? candidatesIn(text) : [];
  if (candidates.length === 0) return candidates;
  const { isMarkup, names } = evidenceIn(text, candidates);
  return candidates.filter((candidate, index) => isMarkup[index] === true || names.has(candidate.name));
}

/** What is markup for itself, and the names of elements that are. */
function evidenceIn(
  text: string,
  candidates: readonly Candidate[],
): { isMarkup: boolean[]; names: Set<string | undefined> } {
  const shown = textWithout(text, candidates);
  const isMarkup = candidates.map(
    ({ isSure, isDoubtful }, index) => isSure || isWithinWord(shown.text, shown.offsets[index] ?? 0, isDoubtful),
  );
  const opened = new Set<string | undefined>();
  const names = new Set<string | undefined>();
  candidates.forEach(({ name, start, isDoubtful }, index) => {
    const isEnd = text.charAt(start + 1) === '/';
    if (!isEnd) opened.add(name);
    if ((isEnd && opened.has(name)) || (isMarkup[index] === true && !isDoubtful)) names.add(name);
  });
  names.delete(undefined);
  return { isMarkup, names };
}

/** @returns the offsets into what remains at which each of the ranges stood */
function textWithout(
  text: string,
  ranges: readonly Range[],
): { readonly text: string; readonly offsets: readonly number[] } {
  let shown = '';
  let until = 0;
  const offsets = ranges.map(({ start, end }) => {
    shown += text.slice(until, start);
    until = end;
    return shown.length;
  });
  return { text: shown + text.slice(until), offsets };
}

const WORD_BEFORE = /[\p{L}\p{M}\p{N}@$]$/u;
const WORD_AFTER = /^[\p{L}\p{N}@$]/u;
const LETTERS_BEFORE = /[\p{L}\p{M}]*$/u;
const LETTERS_AFTER = /^[\p{L}\p{M}]*/u;
const LONGEST_WORD = 24;
const SHORTEST_JOINED_WORD = 4;

function isWithinWord(text: string, offset: number, isToBeKnown: boolean): boolean {
  const before = text.slice(Math.max(0, offset - LONGEST_WORD), offset);
  const after = text.slice(offset, offset + LONGEST_WORD);
  if (!WORD_BEFORE.test(before.slice(-2)) || !WORD_AFTER.test(after)) return false;
  if (!isToBeKnown) return true;
  return isJoinedWord(`${LETTERS_BEFORE.exec(before)?.[0] ?? ''}${LETTERS_AFTER.exec(after)?.[0] ?? ''}`);
}

/** Whether what stands on both sides of something makes a word; shorter ones do by chance, since each language has its own. */
export function isJoinedWord(letters: string): boolean {
  return letters.length >= SHORTEST_JOINED_WORD && isKnownWord(letters);
}

function isOneWord(inside: string): boolean {
  return (inside.match(BETWEEN_WORDS) ?? []).every((between) => JOINT.test(between));
}

/** @param knowsRaw whether there is content that is no markup: not where it has no end, which is no HTML, or is in a place where it may not be */
function candidatesIn(text: string, knowsRaw = true): Candidate[] {
  const candidates: Candidate[] = [];
  /** Of the outermost element whose content stands apart: where that begins, and how many candidates stood before it. */
  let apart: { readonly name: string; readonly start: number; readonly count: number } | undefined;
  let foreign: string | undefined;
  let raw: string | undefined;
  const ignore = (): void => undefined;

  /** @param frame lengths of what stands before and behind what it holds */
  const add = (
    { startOffset: start, endOffset: end }: Pick<Token.Location, 'startOffset' | 'endOffset'>,
    frame: readonly [before: number, behind: number],
    { name, isSure, isDoubtful }: Pick<Candidate, 'name' | 'isSure' | 'isDoubtful'>,
  ): void => {
    const inside = { start: Math.min(start + frame[0], end - 1), end: Math.max(end - frame[1], start + frame[0]) };
    const partsWords = name !== undefined && BLOCK.has(name);
    if (text.charAt(end - 1) === '>') candidates.push({ start, end, inside, name, isSure, isDoubtful, partsWords });
  };
  const addComment = ({ location }: Token.CommentToken | Token.DoctypeToken): void => {
    if (location === null) return;
    const written = text.slice(location.startOffset, location.endOffset);
    const mark = COMMENT_MARK.exec(written)?.[0];
    const isDoubtful = !isOneWord(written.slice(2, -1));
    const behind = COMMENT_END.exec(written.slice(-4))?.[0].length ?? 1;
    add(location, [mark?.length ?? 2, behind], {
      name: undefined,
      isSure: mark !== undefined || QUOTED_VALUE.test(written),
      isDoubtful,
    });
  };

  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(tag) {
        const { tagName: name, attrs, selfClosing, location } = tag;
        if (location === null) return;
        const isQuoted = attrs.length > 0 && QUOTED_VALUE.test(text.slice(location.startOffset, location.endOffset));
        const bare = attrs.filter(({ value }) => value === '').map((attribute) => attribute.name);
        const isDoubtful = !isQuoted && !isOneWord([name, ...bare].join(' '));
        const hasValue = bare.length < attrs.length;
        const isSure = isQuoted || (!isDoubtful && (hasValue || selfClosing || UNCLOSED.includes(name)));
        add(location, [name.length + 1, 1], { name, isSure, isDoubtful });
        if (foreign !== undefined && foreignContent.causesExit(tag)) {
          if (apart?.name === foreign) apart = undefined;
          foreign = undefined;
        }
        const isForeign = foreign !== undefined || FOREIGN.has(name);
        if (!isForeign || !selfClosing) {
          if (APART.has(name)) apart ??= { name, start: location.endOffset, count: candidates.length };
          if (isForeign) foreign ??= name;
          const mode = isForeign || !knowsRaw ? undefined : RAW_CONTENT.get(name);
          if (mode !== undefined) {
            raw = name;
            tokenizer.lastStartTagName = name;
            tokenizer.state = mode;
          }
        }
        tokenizer.inForeignNode = foreign !== undefined;
      },
      onEndTag({ tagName: name, tagID, location }) {
        if (location === null) return;
        raw = undefined;
        if (name === foreign) foreign = undefined;
        tokenizer.inForeignNode = foreign !== undefined;
        if (name === apart?.name) {
          const content = { start: apart.start, end: location.startOffset };
          candidates.length = apart.count;
          const traits = { name: undefined, isSure: true, isDoubtful: false, partsWords: false };
          candidates.push({ ...content, inside: content, ...traits });
          apart = undefined;
        }
        add(location, [name.length + 2, 1], { name, isSure: tagID !== html.TAG_ID.UNKNOWN, isDoubtful: false });
      },
      onComment: addComment,
      onDoctype: addComment,
      onParseError({ code, startOffset }) {
        if (code !== ErrorCodes.missingEndTagName) return;
        const location = { startOffset: startOffset - '</'.length, endOffset: startOffset + 1 };
        add(location, [2, 1], { name: undefined, isSure: false, isDoubtful: false });
      },
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(text, true);
  return raw === undefined ? candidates : candidatesIn(text, false);
}
