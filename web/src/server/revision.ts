const revisions = new WeakMap<object, number>();

/** Remembers which step of its story an answer was, beside the answer. */
export function noteRevision<Data>(data: Data, revision: number | null): Data {
  if (revision !== null && typeof data === "object" && data !== null) revisions.set(data, revision);
  return data;
}

/** The data of an answer to a write over REST; which step it was is remembered. */
export const written = <Data>(answer: { data: Data; response: Response }): Data =>
  noteRevision(answer.data, revisionOf(answer));

/** Which step of its story a write was: of an answer over REST or a channel, or of its data. */
export function revisionOf(answer: unknown): number | null {
  if (typeof answer !== "object" || answer === null) return null;
  const response = (answer as { response?: unknown }).response;
  const told = response instanceof Response ? response.headers.get("x-fabula-revision") : null;
  return told === null ? (revisions.get(answer) ?? null) : Number(told);
}
