import { type ReactNode, useState } from "react";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Select, TextField } from "../../design/Field";
import { Notice } from "../../design/states";
import { type Problem, problemOf } from "../../server/problem";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";
import type { Changes } from "./useChanges";
import { useKinds } from "./words";

interface DoomProps {
  title: string;
  onDelete(): void;
  onClose(): void;
  children: ReactNode;
}

/** Asks before something goes. */
export function Doom({ title, onDelete, onClose, children }: DoomProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="danger"
            onClick={() => {
              onClose();
              onDelete();
            }}
          >
            {t.confirmDelete}
          </Button>
        </>
      }
    >
      {children}
      <p>{t.canUndo}</p>
    </Dialog>
  );
}

interface NewNodeProps {
  types: readonly string[];
  /** Where it is to stand, if somebody pointed there. */
  place: { x: number; y: number } | null;
  changes: Changes;
  onCreated(id: string): void;
  onClose(): void;
}

/** A new node: what it is and how it is called; the rest is said in its details. */
export function NewNode({ types, place, changes, onCreated, onClose }: NewNodeProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const kinds = useKinds();
  const [type, setType] = useState(types[0] ?? "character");
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const create = async () => {
    if (isBusy || name.trim() === "") return;
    setBusy(true);
    try {
      const fields = { name: name.trim(), type, description: "", x: place?.x ?? null, y: place?.y ?? null };
      const { id } = await changes.create(fields);
      onClose();
      onCreated(id);
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  const existing = problem?.code === "KG_ENTITY_DUPLICATE" ? problem.details.existingId : undefined;
  return (
    <Dialog
      title={t.newNode}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={isBusy || name.trim() === ""} onClick={() => void create()}>
            {words.create}
          </Button>
        </>
      }
    >
      {problem && (
        <Notice
          look="danger"
          actions={
            typeof existing === "string" && (
              <Button
                size="small"
                onClick={() => {
                  onClose();
                  onCreated(existing);
                }}
              >
                {t.openExisting}
              </Button>
            )
          }
        >
          {existing === undefined
            ? `${problem.message} ${problem.suggestion ?? ""}`
            : t.existing(name.trim())}
        </Notice>
      )}
      <Select
        label={t.kind}
        value={type}
        options={types.map((each) => ({ value: each, label: kinds(each) }))}
        onChange={setType}
      />
      <TextField
        label={t.name}
        value={name}
        autoFocus
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) void create();
        }}
      />
    </Dialog>
  );
}
