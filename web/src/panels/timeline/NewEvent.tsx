import { useState } from "react";
import { createEvent, type Moment } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Switch, TextArea, TextField } from "../../design/Field";
import { Notice } from "../../design/states";
import { TagInput } from "../../design/TagInput";
import { type Problem, problemOf } from "../../server/problem";
import { refreshStory } from "../../server/server";
import { MomentField } from "../../story/MomentField";
import { tellDone } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

interface NewEventProps {
  storyId: string;
  onCreated(id: string): void;
  onClose(): void;
}

/** Something that happened, written down by hand; people and places are named and bound by the server. */
export function NewEvent({ storyId, onCreated, onClose }: NewEventProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [name, setName] = useState("");
  const [summary, setSummary] = useState("");
  const [timeAnchor, setTimeAnchor] = useState("");
  const [moment, setMoment] = useState<Moment | null>(null);
  const [roles, setRoles] = useState<string[]>([]);
  const [locations, setLocations] = useState<string[]>([]);
  const [isOutline, setOutline] = useState(true);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    try {
      const { data } = await createEvent({
        path: { storyId },
        body: {
          name: name.trim() || null,
          summary,
          timeAnchor,
          moment,
          roles,
          locations,
          level: isOutline ? 1 : 0,
        },
      });
      onCreated(data.id);
      onClose();
      await refreshStory(storyId);
      await tellDone(storyId, t.created(data.name)).catch(() => {});
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t.newEvent}
      onClose={onClose}
      wide
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="primary"
            disabled={isBusy || (name.trim() === "" && summary.trim() === "")}
            onClick={() => void create()}
          >
            {words.create}
          </Button>
        </>
      }
    >
      {problem && (
        <Notice look="danger">
          {problem.message} {problem.suggestion}
        </Notice>
      )}
      <TextField
        label={t.name}
        hint={t.nameOrSummary}
        maxLength={256}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea label={t.summary} value={summary} onChange={(event) => setSummary(event.target.value)} />
      <MomentField
        storyId={storyId}
        label={t.moment}
        moment={moment}
        onChange={setMoment}
        none={t.noMoment}
      />
      <TextField
        label={t.timeAnchor}
        maxLength={1024}
        value={timeAnchor}
        onChange={(event) => setTimeAnchor(event.target.value)}
      />
      <TagInput label={t.people} tags={roles} onChange={setRoles} />
      <TagInput label={t.places} tags={locations} onChange={setLocations} />
      <Switch label={t.partOfOutline} checked={isOutline} onChange={setOutline} />
    </Dialog>
  );
}
