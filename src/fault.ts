/** What may be logged of an error: its kind and where it happened, never its message, which can quote a text, a key or an address. */

export interface Fault {
  readonly name: string;
  /** Code of the framework or the system, as in `FST_ERR_REP_ALREADY_SENT`. */
  readonly code: string | undefined;
  readonly stack: readonly string[];
}

export function faultOf(cause: unknown): Fault {
  if (!(cause instanceof Error)) return { name: typeof cause, code: undefined, stack: [] };
  const { name, message, stack = '' } = cause;
  // A message may have several lines, and lines that look like frames: what does not follow the message is not trusted.
  const at = stack.indexOf(message);
  const frames = at === -1 ? [] : stack.slice(at + message.length).split('\n');
  return {
    name,
    code: codeOf(cause),
    stack: frames.map((line) => line.trim()).filter((line) => line.startsWith('at ')),
  };
}

function codeOf(cause: Error): string | undefined {
  return 'code' in cause && typeof cause.code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(cause.code)
    ? cause.code
    : undefined;
}
