import { useEffect, useRef, useState } from "react";
import { deleteStory, duplicateStory, type Story, updateStory } from "../client/rest";
import { Button } from "../design/Button";
import { Dialog } from "../design/Dialog";
import { TextField } from "../design/Field";
import { tell, tellTrouble } from "../design/toasts";
import { queries } from "../server/server";
import { saveStory } from "../story/saveStory";
import { glossary } from "../texts/glossary";
import { useTexts } from "../texts/language";
import { texts } from "./texts";

export type StoryAction = "rename" | "duplicate" | "export" | "delete";

interface StoryActionsProps {
  story: Story;
  action: StoryAction;
  onClose(): void;
}

/** What can be done with a story as a whole, from outside of it. */
export default function StoryActions({ story, action, onClose }: StoryActionsProps) {
  const t = useTexts(texts);
  const { id: storyId, title } = story;
  if (action === "export") return <Saving story={story} onClose={onClose} />;
  if (action === "rename")
    return (
      <Asking
        title={t.rename}
        first={title}
        act={(next) => updateStory({ path: { storyId }, body: { title: next } })}
        onClose={onClose}
      />
    );
  if (action === "duplicate")
    return (
      <Asking
        title={t.duplicate}
        first={t.copyOf(title).slice(0, 256)}
        done={t.duplicated}
        act={(next) => duplicateStory({ path: { storyId }, body: { title: next } })}
        onClose={onClose}
      />
    );
  return (
    <Asking
      title={t.deleteStory(title)}
      why={t.deleteWhy}
      first=""
      wanted={title}
      act={() => deleteStory({ path: { storyId } })}
      onClose={onClose}
    />
  );
}

interface AskingProps {
  title: string;
  why?: string;
  first: string;
  /** What has to be typed before it is done. */
  wanted?: string;
  done?: string;
  act(title: string): Promise<unknown>;
  onClose(): void;
}

function Asking({ title, why, first, wanted, done, act, onClose }: AskingProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [text, setText] = useState(first);
  const [isBusy, setBusy] = useState(false);
  const isFit = wanted === undefined ? text.trim() !== "" : text.trim() === wanted.trim();
  const run = async () => {
    if (!isFit || isBusy) return;
    setBusy(true);
    try {
      await act(text.trim());
      if (done) tell(done);
      onClose();
      await queries.invalidateQueries();
    } catch (error) {
      tellTrouble(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look={wanted === undefined ? "primary" : "danger"}
            disabled={!isFit || isBusy}
            onClick={() => void run()}
          >
            {wanted === undefined ? words.save : words.delete}
          </Button>
        </>
      }
    >
      {why && <p>{why}</p>}
      <TextField
        label={t.newStoryTitle}
        value={text}
        maxLength={256}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && !event.nativeEvent.isComposing && void run()}
      />
    </Dialog>
  );
}

/** Saves a file; there is nothing to ask. */
function Saving({ story, onClose }: { story: Story; onClose(): void }) {
  const ended = useRef(onClose);
  useEffect(() => {
    saveStory(story.id, story.title).catch(tellTrouble).finally(ended.current);
  }, [story]);
  return null;
}
