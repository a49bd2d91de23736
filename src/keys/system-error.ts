/** Reads the code (`ENOENT`, `EACCES`, ...) off what the operating system or the lock threw. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
