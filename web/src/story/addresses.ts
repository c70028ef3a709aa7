const story = (storyId: string): string => `/stories/${encodeURIComponent(storyId)}`;

/** Where a panel of a story is, with what is chosen in it. */
export function panelOf(storyId: string, panel: string, chosen: Record<string, string> = {}): string {
  const query = new URLSearchParams(chosen).toString();
  return `${story(storyId)}/${panel}${query && `?${query}`}`;
}

export const entityPage = (storyId: string, entityId: string): string =>
  `${story(storyId)}/entities/${encodeURIComponent(entityId)}`;

/** In the address of the settings, whoever came for the names that contain a secret. */
export const COVERS_WANTED = "covers";

/** Where the author says which names may be told although they contain a secret. */
export const coversPage = (storyId: string): string => panelOf(storyId, "settings", { [COVERS_WANTED]: "" });

/** Where a scene is written. */
export const scenePage = (storyId: string, chapter: number, scene: number): string =>
  panelOf(storyId, "write", { scene: `${chapter}.${scene}` });
