import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { IconName } from "../design/icons";
import type { glossary } from "../texts/glossary";

/** A part of the workbench: a folder of panels/, loaded when it is first opened. */
export interface Panel {
  /** The address below the story; also the word of the glossary, and the name of the folder. */
  readonly path: string;
  readonly word: keyof typeof glossary;
  readonly icon: IconName;
  /** `g` and then this key leads here; panels without one are not in the navigation. */
  readonly key: string | null;
  readonly View: LazyExoticComponent<ComponentType>;
}

export const PANELS: readonly Panel[] = [
  { path: "write", word: "write", icon: "pen", key: "w", View: lazy(() => import("../panels/write")) },
  {
    path: "lorebook",
    word: "lorebook",
    icon: "book",
    key: "l",
    View: lazy(() => import("../panels/lorebook")),
  },
  {
    path: "tryout",
    word: "tryout",
    icon: "flask",
    key: "y",
    View: lazy(() => import("../panels/tryout")),
  },
  { path: "cast", word: "cast", icon: "people", key: "p", View: lazy(() => import("../panels/cast")) },
  { path: "graph", word: "graph", icon: "graph", key: "g", View: lazy(() => import("../panels/graph")) },
  { path: "review", word: "review", icon: "checks", key: "r", View: lazy(() => import("../panels/review")) },
  {
    path: "checks",
    word: "checks",
    icon: "shield",
    key: "c",
    View: lazy(() => import("../panels/checks")),
  },
  {
    path: "threads",
    word: "threads",
    icon: "thread",
    key: "h",
    View: lazy(() => import("../panels/threads")),
  },
  { path: "plan", word: "plan", icon: "plan", key: "n", View: lazy(() => import("../panels/plan")) },
  {
    path: "knowledge",
    word: "knowledge",
    icon: "eye",
    key: "k",
    View: lazy(() => import("../panels/knowledge")),
  },
  {
    path: "timeline",
    word: "timeline",
    icon: "timeline",
    key: "t",
    View: lazy(() => import("../panels/timeline")),
  },
  {
    path: "entities/:entityId",
    word: "entity",
    icon: "eye",
    key: null,
    View: lazy(() => import("../panels/entity")),
  },
  {
    path: "settings",
    word: "settings",
    icon: "gear",
    key: "s",
    View: lazy(() => import("../panels/settings")),
  },
];

/** Where a story opens. */
export const FIRST_PANEL = "write";

export const panelAddress = (storyId: string, path: string): string =>
  `/stories/${encodeURIComponent(storyId)}/${path}`;
