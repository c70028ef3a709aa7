import { createStore, type StoreApi } from "zustand/vanilla";
import type { SceneText } from "../../../client/rest";
import { type Problem, problemOf } from "../../../server/problem";
import type { KeptDraft } from "./drafts";

/** How it stands with what was written: on the server, on its way, or only here. */
export type Saving =
  | { readonly kind: "saved" | "changed" | "saving" | "offline" | "unkept" }
  | { readonly kind: "refused"; readonly problem: Problem }
  | { readonly kind: "conflict"; readonly theirs: SceneText };

interface KeeperParts {
  readonly saved: Pick<SceneText, "text" | "version">;
  /** What was left in this browser by an earlier visit. */
  readonly draft: KeptDraft | null;
  /** The text as it stands in the editor. */
  read(): string;
  /** Whether an input method is at work. */
  isComposing(): boolean;
  /** Puts another text into the editor. */
  show(text: string): void;
  send(text: string, expectedVersion: number): Promise<SceneText>;
  /** Whether a text was sent from here: its answer may have been lost, or still be on its way. */
  isOwn(text: string): boolean;
  /** Keeps a draft in the browser or forgets it; says whether there was room. */
  keep(draft: KeptDraft | null): boolean;
  sceneIn(problem: Problem): SceneText | null;
}

export interface Keeper {
  readonly saving: StoreApi<Saving>;
  /** What mine and theirs both began with. */
  base(): string;
  /** Something was written. */
  touch(): void;
  save(): Promise<void>;
  /** What the server has of the scene now. */
  hear(scene: SceneText): void;
  /** A text that takes both versions into account, or one of them. */
  resolve(text: string, theirs: SceneText): Promise<void>;
  /** Keeps in the browser what is not on the server, at once. */
  keepNow(): boolean;
  leave(): void;
  /** Gives up what was not saved and saves no more; waits for what is on its way. */
  close(): Promise<void>;
}

export const PAUSE_MS = 1_200;
export const AT_LATEST_MS = 8_000;
export const AGAIN_MS = 5_000;
const KEEP_EVERY_MS = 1_000;

/** Sees to it that a scene is saved while it is written, and that nothing of it is lost when it cannot be. */
export function createKeeper(parts: KeeperParts): Keeper {
  const { saved, draft, read, isComposing, show, send, isOwn, keep, sceneIn } = parts;
  let base = draft
    ? { text: draft.base, version: draft.version }
    : { text: saved.text, version: saved.version };
  let isChanged = draft !== null;
  let sending: Promise<unknown> | null = null;
  let isClosed = false;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let latest: ReturnType<typeof setTimeout> | undefined;
  let keeping: ReturnType<typeof setTimeout> | undefined;
  const saving = createStore<Saving>(() => ({ kind: draft ? "changed" : "saved" }));

  const stopTimers = () => {
    clearTimeout(pause);
    clearTimeout(latest);
    latest = undefined;
  };
  const keepNow = (): boolean => {
    clearTimeout(keeping);
    keeping = undefined;
    if (!isChanged || isClosed) return true;
    return keep({ base: base.text, version: base.version, text: read() });
  };
  const settle = () => {
    isChanged = false;
    clearTimeout(keeping);
    keeping = undefined;
    keep(null);
    saving.setState({ kind: "saved" }, true);
  };
  const schedule = () => {
    clearTimeout(pause);
    pause = setTimeout(attempt, PAUSE_MS);
    latest ??= setTimeout(attempt, AT_LATEST_MS);
  };
  // Half a syllable of an input method is not saved.
  const attempt = () => {
    stopTimers();
    if (isComposing()) schedule();
    else void save();
  };
  const fail = (error: unknown) => {
    const problem = problemOf(error);
    const theirs = problem.code === "CONFLICT" ? sceneIn(problem) : null;
    const isKept = keepNow();
    if (theirs) meet(theirs);
    else if (problem.details.movedTo) {
      // The scene was moved; the page follows it, and the text is welcome where it stands by then.
      saving.setState({ kind: "changed" }, true);
      schedule();
    } else if (!isKept) saving.setState({ kind: "unkept" }, true);
    else if (problem.isOffline) saving.setState({ kind: "offline" }, true);
    else {
      saving.setState({ kind: "refused", problem }, true);
      // A database comes back, and another writer gets done: nobody need press a key for that.
      if (problem.status === 503 || problem.code === "CONFLICT") pause = setTimeout(attempt, AGAIN_MS);
    }
  };

  /** The server has another version: no conflict where its text is mine, was sent from here, or is what mine began with. */
  const meet = (theirs: SceneText) => {
    stopTimers();
    const mine = read();
    if (mine !== theirs.text && theirs.text !== base.text && !isOwn(theirs.text)) {
      keepNow();
      saving.setState({ kind: "conflict", theirs }, true);
      return;
    }
    base = { text: theirs.text, version: theirs.version };
    if (mine === theirs.text) settle();
    else {
      saving.setState({ kind: "changed" }, true);
      schedule();
    }
  };

  const save = async (): Promise<void> => {
    stopTimers();
    if (isClosed || sending || !isChanged || saving.getState().kind === "conflict") return;
    const text = read();
    if (text === base.text) return settle();
    saving.setState({ kind: "saving" }, true);
    try {
      const answer = send(text, base.version);
      sending = answer;
      const kept = await answer;
      base = { text, version: kept.version };
      sending = null;
      if (isClosed) return;
      if (read() === text) return settle();
      keepNow();
      saving.setState({ kind: "changed" }, true);
      schedule();
    } catch (error) {
      sending = null;
      if (!isClosed) fail(error);
    }
  };

  return {
    saving,
    base: () => base.text,
    touch: () => {
      isChanged = true;
      if (saving.getState().kind === "saved" || saving.getState().kind === "refused")
        saving.setState({ kind: "changed" }, true);
      keeping ??= setTimeout(keepNow, KEEP_EVERY_MS);
      if (saving.getState().kind !== "conflict") schedule();
    },
    save,
    hear: (scene) => {
      if (sending || scene.version <= base.version) return;
      if (scene.text === base.text) {
        base = { text: scene.text, version: scene.version };
      } else if (!isChanged) {
        base = { text: scene.text, version: scene.version };
        show(scene.text);
      } else meet(scene);
    },
    resolve: async (text, theirs) => {
      base = { text: theirs.text, version: theirs.version };
      show(text);
      isChanged = true;
      saving.setState({ kind: "changed" }, true);
      keepNow();
      await save();
    },
    keepNow,
    leave: () => {
      keepNow();
      void save();
    },
    close: async () => {
      isClosed = true;
      stopTimers();
      keep(null);
      await sending?.catch(() => {});
    },
  };
}
