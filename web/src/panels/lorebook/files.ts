import { exportEntries } from "../../client/rest";
import type { Format } from "../../story/lorebooks/formats";

const ENDING = ".json";

/** Saves a book as a file, under the name that the server gives it. */
export async function saveBook(storyId: string, bookId: string, format: Format, name: string): Promise<void> {
  const { data, response } = await exportEntries({
    path: { storyId },
    query: { bookId, format },
    parseAs: "blob",
    responseValidator: async () => {},
  });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data as unknown as Blob);
  link.download = nameIn(response.headers.get("content-disposition")) ?? fileName(name);
  link.click();
  URL.revokeObjectURL(link.href);
}

const fileName = (name: string): string => `${name.replace(/[\\/:*?"<>|]/g, "_")}${ENDING}`;

/** The file name in a header, as RFC 6266 writes it. */
export function nameIn(disposition: string | null): string | null {
  const found = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  try {
    return found ? decodeURIComponent(found) : null;
  } catch {
    return null;
  }
}
