import { createKeptStore } from "../kept";

const isToken = (value: unknown): value is string | null => value === null || typeof value === "string";
/** The token of the account, where there are accounts. */
export const tokenStore = createKeptStore<string | null>("token", null, isToken);

const HEADER = "X-Fabula-Page";
const READS = ["GET", "HEAD"];

/** What the server gives its own pages where there are no accounts; it has another one whenever it starts. */
let pageToken: Promise<string | null> | null = null;

async function askForPageToken(): Promise<string | null> {
  const answer = await fetch("/api/v2/page-token", { cache: "no-store" });
  const body = answer.ok ? await answer.json() : null;
  return isToken(body?.token) ? body.token : null;
}

/** The page's token, asked for once; whoever could not get it lets the next one ask again. */
function knownPageToken(): Promise<string | null> {
  if (pageToken === null) {
    const asked = askForPageToken();
    pageToken = asked;
    asked.catch(() => forget(asked));
  }
  return pageToken;
}

function forget(token: Promise<string | null> | null): void {
  if (pageToken === token) pageToken = null;
}

/** Sends a request as a page of this server; one whose token is of an earlier start gets the new one and tries again. */
export async function send(input: Request | string, init: RequestInit = {}): Promise<Response> {
  const method = input instanceof Request ? input.method : (init.method ?? "GET");
  if (READS.includes(method)) return fetch(input, { ...init, headers: shown(input, init) });
  // What is sent once cannot be read again.
  const again = input instanceof Request ? input.clone() : input;
  const used = pageToken ?? knownPageToken();
  const answer = await fetch(input, { ...init, headers: shown(input, init, await used) });
  if (!(await wantsPageToken(answer))) return answer;
  forget(used);
  return fetch(again, { ...init, headers: shown(again, init, await knownPageToken()) });
}

function shown(input: Request | string, init: RequestInit, page: string | null = null): Headers {
  const headers = new Headers(input instanceof Request ? input.headers : init.headers);
  const token = tokenStore.getState();
  if (token !== null) headers.set("Authorization", `Bearer ${token}`);
  if (page !== null) headers.set(HEADER, page);
  return headers;
}

async function wantsPageToken(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false;
  const body = await answer
    .clone()
    .json()
    .catch(() => null);
  return (body?.error ?? body)?.details?.reason === "page_token";
}
