import { exportStory } from "../client/rest";
import { saveBlob } from "./saveBlob";

/** The manuscript as something to read. */
export const BOOK_FORMS = ["docx", "epub", "md"] as const;

/** A whole story as an archive that import takes, or its manuscript to read. */
export type SavedForm = "zip" | (typeof BOOK_FORMS)[number];

/** Saves a story as a file. */
export async function saveStory(storyId: string, title: string, form: SavedForm = "zip"): Promise<void> {
  const { data } = await exportStory({
    path: { storyId },
    query: { format: form },
    parseAs: "blob",
    responseValidator: async () => {},
  });
  saveBlob(`${title}.${form}`, data as unknown as Blob);
}
