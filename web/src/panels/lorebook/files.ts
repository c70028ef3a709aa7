import { exportEntries } from "../../client/rest";
import type { Format } from "../../story/lorebooks/formats";
import { saveBlob } from "../../story/saveBlob";

const ENDING = ".json";

/** Saves a book as a file, under the name that the server gives it. */
export async function saveBook(storyId: string, bookId: string, format: Format, name: string): Promise<void> {
  const { data, response } = await exportEntries({
    path: { storyId },
    query: { bookId, format },
    parseAs: "blob",
    responseValidator: async () => {},
  });
  const file = nameIn(response.headers.get("content-disposition")) ?? `${name}${ENDING}`;
  saveBlob(file, data as unknown as Blob);
}

/** The file name in a header, as RFC 6266 writes it. */
export function nameIn(disposition: string | null): string | null {
  const found = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  try {
    return found ? decodeURIComponent(found) : null;
  } catch {
    return null;
  }
}
