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

/** A part of a scene, counted in characters as the server counts them. */
export interface ScenePart {
  readonly start?: number | null;
  readonly end?: number | null;
}

/** In the address of a scene, the words to select when it opens. */
export const SELECTED = "at";

/** Where a scene is written, with some of its words selected if they are named. */
export const scenePage = (storyId: string, chapter: number, scene: number, part: ScenePart = {}): string =>
  panelOf(storyId, "write", {
    scene: `${chapter}.${scene}`,
    ...(part.start != null && part.end != null ? { [SELECTED]: `${part.start}-${part.end}` } : {}),
  });
