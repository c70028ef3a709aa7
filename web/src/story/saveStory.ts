import { exportStory } from "../client/rest";

/** Saves a whole story as an archive that import takes. */
export async function saveStory(storyId: string, title: string): Promise<void> {
  const { data } = await exportStory({
    path: { storyId },
    query: { format: "zip" },
    parseAs: "blob",
    responseValidator: async () => {},
  });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data as unknown as Blob);
  link.download = `${title.replace(/[\\/:*?"<>|]/g, "_")}.zip`;
  link.click();
  URL.revokeObjectURL(link.href);
}
