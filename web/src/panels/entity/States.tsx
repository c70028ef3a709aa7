import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { EntityStateSchema } from "../../client/knowledge";
import type { Moment } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { TextArea } from "../../design/Field";
import { ask } from "../../server/channel";
import { revisionOf } from "../../server/revision";
import { refreshStory } from "../../server/server";
import { Attributes, typedValue } from "../../story/Attributes";
import { act } from "../../story/act";
import { ConflictDialog } from "../../story/ConflictDialog";
import { WhoKnowsDialog } from "../../story/knowing/WhoKnows";
import { PeriodFields } from "../../story/PeriodFields";
import { usePlaces } from "../../story/places";
import { SecrecySwitch } from "../../story/SecrecySwitch";
import { tellDone } from "../../story/story";
import { useWriting } from "../../story/useWriting";
import { WritingDialog } from "../../story/WritingDialog";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
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
  const [asked, setAsked] = useState<EntityState | null>(null);
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
              {state.secrecy === "private" && <span className={styles.period}>{words.private}</span>}
              {state.description && <p>{state.description}</p>}
              {Object.entries(state.attributes).map(([key, value]) => (
                <p key={key} className={styles.quiet}>
                  {key}: {typedValue(value)}
                </p>
              ))}
            </div>
            <IconButton
              icon="eye"
              size="small"
              label={t.whoKnowsOf(state.description)}
              onClick={() => setAsked(state)}
            />
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
      {asked && (
        <WhoKnowsDialog
          storyId={storyId}
          fact={{ kind: "state", id: asked.id }}
          label={asked.description}
          onClose={() => setAsked(null)}
        />
      )}
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

const NAMES = ["description", "attributes", "since", "until", "secrecy"] as const;
type Fields = Pick<EntityState, (typeof NAMES)[number]>;
const BLANK: Fields = { description: "", attributes: {}, since: null, until: null, secrecy: "public" };
const zFields = EntityStateSchema.pick({
  description: true,
  attributes: true,
  since: true,
  until: true,
  secrecy: true,
});
const fieldsOf = ({ description, attributes, since, until, secrecy }: EntityState): Fields => ({
  description,
  attributes,
  since,
  until,
  secrecy,
});

function StateDialog({ storyId, entityId, state, onClose }: StateDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const places = usePlaces(storyId);
  const draft = useWriting<EntityState, Fields>({
    name: `draft:${storyId}:state:${state?.id ?? `new:${entityId}`}`,
    names: NAMES,
    saved: state,
    blank: BLANK,
    fieldsOf,
    read: (kept) => zFields.safeParse(kept).data ?? null,
    latest: (snapshot) => EntityStateSchema.safeParse(snapshot).data ?? null,
    send: (fields, _, version) =>
      version === null
        ? ask<EntityState>("knowledge:state:create", { ...fields, projectId: storyId, entityId })
        : ask<EntityState>("knowledge:state:update", {
            ...fields,
            projectId: storyId,
            id: state?.id,
            expectedVersion: version,
          }),
    onSaved: (saved) => {
      onClose();
      void refreshStory(storyId).then(() => tellDone(storyId, t.stateSaved, revisionOf(saved)));
    },
  });
  const { fields, theirs } = draft;
  const moment = (value: Moment | null, none: string) => (value ? places.momentName(value) : none);
  return (
    <>
      <WritingDialog
        title={state ? t.editState : t.addState}
        draft={draft}
        isFit={fields.description.trim() !== "" || Object.keys(fields.attributes).length > 0}
        saveWord={words.save}
        onClose={onClose}
      >
        <TextArea
          label={t.stateDescription}
          value={fields.description}
          onChange={(event) => draft.change({ description: event.target.value })}
        />
        <PeriodFields storyId={storyId} since={fields.since} until={fields.until} onChange={draft.change} />
        <SecrecySwitch secrecy={fields.secrecy} onChange={(secrecy) => draft.change({ secrecy })} />
        <Attributes attributes={fields.attributes} onChange={(attributes) => draft.change({ attributes })} />
      </WritingDialog>
      {theirs && (
        <ConflictDialog
          name={t.thisState}
          labels={{
            description: t.stateDescription,
            attributes: t.attributes,
            since: t.stateSince,
            until: t.stateUntil,
            secrecy: words.secrecy,
          }}
          prose="description"
          joinable={["attributes"]}
          shown={{
            since: (since) => moment(since, t.always),
            until: (until) => moment(until, t.forever),
            secrecy: (secrecy) => words[secrecy],
          }}
          base={draft.base}
          mine={fields}
          theirs={fieldsOf(theirs)}
          onSave={(merged) => draft.saveOver(theirs, merged)}
          onTakeTheirs={() => {
            draft.takeTheirs(theirs);
            onClose();
          }}
          onClose={draft.closeConflict}
        />
      )}
    </>
  );
}
