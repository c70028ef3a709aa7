import { useEffect, useRef, useState } from "react";
import { readKept, writeKept } from "../kept";
import { type Problem, problemOf } from "../server/problem";
import { changedFields } from "./versions";

/** Something as somebody is writing it, and as it was when they began. */
interface Draft<Fields> {
  readonly base: Fields;
  /** Null of something that is not there yet. */
  readonly version: number | null;
  readonly fields: Fields;
}

/** What is written, and how it reaches the server. */
interface Writing<Saved extends { version: number }, Fields extends object> {
  /** Under which name the draft is kept in this browser. */
  name: string;
  names: readonly (keyof Fields & string)[];
  /** Null of something that is not there yet. */
  saved: Saved | null;
  blank: Fields;
  fieldsOf(saved: Saved): Fields;
  /** The fields of a draft that was kept, if it can still be read. */
  read(kept: unknown): Fields | null;
  /** What somebody else has made of it, as a refusal tells. */
  latest(snapshot: unknown): Saved | null;
  send(fields: Fields, changed: readonly (keyof Fields)[], version: number | null): Promise<Saved>;
  onSaved(saved: Saved): void;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Something while it is written: kept in the browser, saved on request, never lost to a refusal or a conflict. */
export function useWriting<Saved extends { version: number }, Fields extends object>(
  writing: Writing<Saved, Fields>,
) {
  const { name, names, saved, blank, fieldsOf, read, latest, send, onSaved } = writing;
  const draftOf = (one: Saved | null): Draft<Fields> => {
    const fields = one ? fieldsOf(one) : blank;
    return { base: fields, version: one?.version ?? null, fields };
  };
  const kept = (): Draft<Fields> | null => {
    const found = readKept(name);
    if (!isRecord(found)) return null;
    const [base, fields] = [read(found.base), read(found.fields)];
    const version = typeof found.version === "number" ? found.version : null;
    return base && fields && (version === null) === (saved === null) ? { base, version, fields } : null;
  };
  const [draft, setDraft] = useState(() => kept() ?? draftOf(saved));
  const changedIn = ({ base, fields }: Draft<Fields>) => changedFields(names, base, fields);
  const [isRestored, setRestored] = useState(() => changedIn(draft).length > 0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [theirs, setTheirs] = useState<Saved | null>(null);
  const [isBusy, setBusy] = useState(false);
  const now = useRef(draft);
  const isChanged = changedIn(draft).length > 0;

  const keep = (next: Draft<Fields>) => {
    now.current = next;
    setDraft(next);
    writeKept(name, changedIn(next).length > 0 ? next : undefined);
  };
  const settle = (one: Saved | null) => {
    keep(draftOf(one));
    setRestored(false);
    setProblem(null);
    setTheirs(null);
  };

  // Without changes of one's own, what others did is simply shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is saved can have been changed by others
  useEffect(() => {
    if (saved && changedIn(now.current).length === 0 && saved.version !== now.current.version) settle(saved);
  }, [saved]);

  const save = async () => {
    const written = now.current;
    setBusy(true);
    setProblem(null);
    try {
      const done = await send(written.fields, changedIn(written), written.version);
      // Whoever typed on while the answer was on its way keeps what they typed.
      if (now.current.fields === written.fields) settle(done);
      else keep({ ...draftOf(done), fields: now.current.fields });
      onSaved(done);
    } catch (error) {
      const found = problemOf(error);
      const seen = latest(found.details.latestSnapshot);
      if (seen) setTheirs(seen);
      else setProblem(found);
    }
    setBusy(false);
  };

  return {
    fields: draft.fields,
    base: draft.base,
    isChanged,
    isRestored: isRestored && isChanged,
    /** Somebody has changed it since this draft began. */
    isBehind: isChanged && draft.version !== null && saved !== null && saved.version > draft.version,
    isBusy,
    problem,
    theirs,
    change: (fields: Partial<Fields>) =>
      keep({ ...now.current, fields: { ...now.current.fields, ...fields } }),
    save: () => void save(),
    /** Saves over a version that has been looked at. */
    saveOver: (seen: Saved, fields: Fields) => {
      keep({ base: fieldsOf(seen), version: seen.version, fields });
      setTheirs(null);
      if (changedIn(now.current).length > 0) void save();
      else {
        settle(seen);
        onSaved(seen);
      }
    },
    /** Looks at what somebody else has made of it. */
    compare: () => setTheirs(saved),
    takeTheirs: settle,
    closeConflict: () => setTheirs(null),
    discard: () => settle(saved),
  };
}
