/** Whatever went wrong with a request, in the one shape that every error of the server has. */
export class Problem extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly suggestion: string | null = null,
    readonly details: Record<string, unknown> = {},
    readonly status: number | null = null,
  ) {
    super(message);
    this.name = "Problem";
  }

  /** Nobody answered. */
  get isOffline(): boolean {
    return this.code === OFFLINE;
  }
}

export const OFFLINE = "OFFLINE";
const UNKNOWN = "UNKNOWN";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A problem from whatever was thrown; `response` is missing where nobody answered. */
export function problemOf(error: unknown, response?: Response): Problem {
  if (error instanceof Problem) return error;
  const status = response?.status ?? null;
  if (isRecord(error) && typeof error.code === "string" && typeof error.message === "string") {
    const suggestion = typeof error.suggestion === "string" ? error.suggestion : null;
    return new Problem(
      error.code,
      error.message,
      suggestion,
      isRecord(error.details) ? error.details : {},
      status,
    );
  }
  // A proxy in between answers for a server that is not there.
  if (!response || status === 502 || status === 503 || status === 504) {
    if (error instanceof TypeError || response)
      return new Problem(OFFLINE, "Nobody answered.", null, {}, status);
  }
  return new Problem(UNKNOWN, error instanceof Error ? error.message : String(error), null, {}, status);
}
