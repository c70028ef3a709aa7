import type { AiContextLevel, StoryEvent } from "../../client/rest";
import { Choice, Range, Switch, TextArea, TextField } from "../../design/Field";
import { TagInput } from "../../design/TagInput";
import { revisionOf } from "../../server/revision";
import { refreshStory } from "../../server/server";
import { ConflictDialog } from "../../story/ConflictDialog";
import { MomentField } from "../../story/MomentField";
import { usePlaces } from "../../story/places";
import { SecrecySwitch } from "../../story/SecrecySwitch";
import { tellDone } from "../../story/story";
import { useWriting } from "../../story/useWriting";
import { WritingDialog } from "../../story/WritingDialog";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./EventDialog.module.css";
import { BLANK, type Fields, fieldsOf, NAMES, named, readEvent, readFields, sendEvent } from "./event";
import { texts } from "./texts";

const LEVELS: readonly AiContextLevel[] = ["always", "when_detected", "manual_only", "never"];

interface EventDialogProps {
  storyId: string;
  /** Null of one that is not written down yet. */
  event: StoryEvent | null;
  onSaved(id: string): void;
  onClose(): void;
}

/** An event, written down or changed; people and places are named here and bound by the server. */
export function EventDialog({ storyId, event, onSaved, onClose }: EventDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const places = usePlaces(storyId);
  const draft = useWriting<StoryEvent, Fields>({
    name: `draft:${storyId}:event:${event?.id ?? "new"}`,
    names: NAMES,
    saved: event,
    blank: BLANK,
    fieldsOf,
    read: readFields,
    latest: readEvent,
    send: (fields, changed, version) => sendEvent(storyId, event?.id ?? null, fields, changed, version),
    onSaved: (saved) => {
      onSaved(saved.id);
      onClose();
      const done = event ? t.saved(saved.name) : t.created(saved.name);
      void refreshStory(storyId).then(() => tellDone(storyId, done, revisionOf(saved)));
    },
  });
  const { fields, theirs } = draft;
  const isNameless = fields.name.trim() === "" && (event !== null || fields.summary.trim() === "");
  return (
    <>
      <WritingDialog
        title={event ? t.editEvent : t.newEvent}
        wide
        draft={draft}
        isFit={!isNameless}
        saveWord={event ? words.save : words.create}
        onClose={onClose}
      >
        <EventForm storyId={storyId} fields={fields} isNew={event === null} onChange={draft.change} />
      </WritingDialog>
      {theirs && (
        <ConflictDialog
          name={theirs.name}
          labels={{
            name: t.name,
            summary: t.summary,
            timeAnchor: t.timeAnchor,
            moment: t.moment,
            roles: t.people,
            locations: t.places,
            causality: t.cause,
            logic: t.signs,
            level: t.partOfOutline,
            significance: t.weight,
            aiContextLevel: t.told,
            secrecy: words.secrecy,
          }}
          prose="summary"
          joinable={["roles", "locations", "logic"]}
          shown={{
            moment: (moment) => (moment ? places.momentName(moment) : t.noMoment),
            roles: (roles) => roles.map(({ name, role }) => (role ? t.castAs(name, role) : name)).join(", "),
            locations: (locations) => locations.map(({ name }) => name).join(", "),
            level: (level) => (level === 1 ? t.yes : t.no),
            aiContextLevel: (level) => words[level],
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

interface EventFormProps {
  storyId: string;
  fields: Fields;
  isNew: boolean;
  onChange(fields: Partial<Fields>): void;
}

function EventForm({ storyId, fields, isNew, onChange }: EventFormProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const names = (parties: readonly { name: string }[]) => [...new Set(parties.map(({ name }) => name))];
  return (
    <>
      <TextField
        label={t.name}
        hint={isNew ? t.nameOrSummary : undefined}
        maxLength={256}
        value={fields.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <TextArea
        label={t.summary}
        value={fields.summary}
        onChange={(event) => onChange({ summary: event.target.value })}
      />
      <MomentField
        storyId={storyId}
        label={t.moment}
        moment={fields.moment}
        onChange={(moment) => onChange({ moment: moment && { ...moment, scene: moment.scene ?? null } })}
        none={t.noMoment}
      />
      <TextField
        label={t.timeAnchor}
        maxLength={1024}
        value={fields.timeAnchor}
        onChange={(event) => onChange({ timeAnchor: event.target.value })}
      />
      <TagInput
        label={t.people}
        tags={names(fields.roles)}
        onChange={(tags) => onChange({ roles: named(tags, fields.roles, { role: "", properties: {} }) })}
      />
      {fields.roles.length > 0 && (
        <div className={styles.roles}>
          {fields.roles.map((one, place) => (
            <TextField
              // biome-ignore lint/suspicious/noArrayIndexKey: one may be there twice, in two parts
              key={place}
              label={t.roleOf(one.name)}
              maxLength={256}
              value={one.role}
              onChange={(event) =>
                onChange({
                  roles: fields.roles.map((role, at) =>
                    at === place ? { ...role, role: event.target.value } : role,
                  ),
                })
              }
            />
          ))}
        </div>
      )}
      <TagInput
        label={t.places}
        tags={names(fields.locations)}
        onChange={(tags) => onChange({ locations: named(tags, fields.locations, { properties: {} }) })}
      />
      <Switch
        label={t.partOfOutline}
        checked={fields.level === 1}
        onChange={(isOutline) => onChange({ level: isOutline ? 1 : 0 })}
      />
      <SecrecySwitch secrecy={fields.secrecy} onChange={(secrecy) => onChange({ secrecy })} />
      <details className={styles.finer}>
        <summary>{t.finer}</summary>
        <div className={styles.more}>
          <TextArea
            label={t.cause}
            value={fields.causality}
            onChange={(event) => onChange({ causality: event.target.value })}
          />
          <TextArea
            label={t.signs}
            hint={t.signsHint}
            value={fields.logic.join("\n")}
            onChange={(event) =>
              onChange({ logic: event.target.value === "" ? [] : event.target.value.split("\n") })
            }
          />
          <Range
            label={t.weight}
            value={fields.significance}
            onChange={(significance) => onChange({ significance })}
          />
          <Choice<AiContextLevel>
            label={t.told}
            value={fields.aiContextLevel}
            onChange={(aiContextLevel) => onChange({ aiContextLevel })}
            options={LEVELS.map((value) => ({ value, label: words[value] }))}
          />
        </div>
      </details>
    </>
  );
}
