import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Moment } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { TextArea } from "../../design/Field";
import { ask } from "../../server/channel";
import { Attributes, typedValue } from "../../story/Attributes";
import { MomentField } from "../../story/MomentField";
import { usePlaces } from "../../story/places";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { act } from "./act";
import styles from "./Entity.module.css";
import { type EntityState, statesOptions } from "./entity";
import { periodText } from "./periods";
import { Section } from "./Section";
import { texts } from "./texts";

/** What is true of an entity for a part of the story, in the order of the telling. */
export function States({ storyId, entityId }: { storyId: string; entityId: string }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const places = usePlaces(storyId);
  const states = useQuery(statesOptions(storyId, entityId)).data;
  const [edited, setEdited] = useState<EntityState | "new" | null>(null);
  return (
    <Section
      title={t.states}
      note={states?.length || undefined}
      tools={
        <Button size="small" icon="plus" onClick={() => setEdited("new")}>
          {t.addState}
        </Button>
      }
    >
      {states?.length === 0 && <p className={styles.quiet}>{t.statesNone}</p>}
      <ol className={styles.states}>
        {(states ?? []).map((state) => (
          <li key={state.id} className={styles.state}>
            <div className={styles.relationText}>
              <span className={styles.period}>{periodText(state, places, t) || t.always}</span>
              {state.description && <p>{state.description}</p>}
              {Object.entries(state.attributes).map(([key, value]) => (
                <p key={key} className={styles.quiet}>
                  {key}: {typedValue(value)}
                </p>
              ))}
            </div>
            <IconButton icon="pen" size="small" label={t.editState} onClick={() => setEdited(state)} />
            <IconButton
              icon="close"
              size="small"
              label={`${words.delete}: ${state.description}`}
              onClick={() =>
                void act(storyId, t.stateRemoved, () =>
                  ask("knowledge:state:delete", { projectId: storyId, id: state.id }),
                )
              }
            />
          </li>
        ))}
      </ol>
      {edited && (
        <StateDialog
          storyId={storyId}
          entityId={entityId}
          state={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </Section>
  );
}

interface StateDialogProps {
  storyId: string;
  entityId: string;
  state: EntityState | null;
  onClose(): void;
}

function StateDialog({ storyId, entityId, state, onClose }: StateDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [description, setDescription] = useState(state?.description ?? "");
  const [attributes, setAttributes] = useState<Record<string, unknown>>(state?.attributes ?? {});
  const [since, setSince] = useState<Moment | null>(state?.since ?? null);
  const [until, setUntil] = useState<Moment | null>(state?.until ?? null);
  const save = async () => {
    const said = { projectId: storyId, description, attributes, since, until };
    const isDone = await act(storyId, t.stateSaved, () =>
      state
        ? ask("knowledge:state:update", { ...said, id: state.id })
        : ask("knowledge:state:create", { ...said, entityId }),
    );
    if (isDone) onClose();
  };
  return (
    <Dialog
      title={state ? t.editState : t.addState}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="primary"
            disabled={description.trim() === "" && Object.keys(attributes).length === 0}
            onClick={() => void save()}
          >
            {words.save}
          </Button>
        </>
      }
    >
      <TextArea
        label={t.stateDescription}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <MomentField
        storyId={storyId}
        label={t.stateSince}
        moment={since}
        none={t.always}
        onChange={setSince}
      />
      <MomentField
        storyId={storyId}
        label={t.stateUntil}
        moment={until}
        none={t.forever}
        onChange={setUntil}
      />
      <Attributes attributes={attributes} onChange={setAttributes} />
    </Dialog>
  );
}
