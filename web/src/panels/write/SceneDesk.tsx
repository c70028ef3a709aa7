import { useQuery } from "@tanstack/react-query";
import { EditorContent } from "@tiptap/react";
import { type RefObject, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { SceneText, Story } from "../../client/rest";
import { readNameOptions } from "../../client/rest/@tanstack/react-query.gen";
import { useShortcuts } from "../../keys/shortcuts";
import { usePlaces } from "../../story/places";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { useBudget, usePins } from "./context/usePins";
import { FindsDialog } from "./editor/FindsDialog";
import { NameCard } from "./editor/NameCard";
import { NameList } from "./editor/NameList";
import { NewEntryDialog } from "./editor/NewEntryDialog";
import prose from "./editor/Prose.module.css";
import { SelectionBar, selectedName } from "./editor/SelectionBar";
import { contentOf } from "./editor/schema";
import { idOf } from "./editor/underlining";
import { useNameCalling } from "./editor/useNameCalling";
import { useNameCard } from "./editor/useNameCard";
import { usePause } from "./editor/usePause";
import { useProse } from "./editor/useProse";
import { useUnderlines } from "./editor/useUnderlines";
import type { Place } from "./place";
import { pastedParagraphs } from "./prose";
import { SceneBar } from "./SceneBar";
import { SceneFoot } from "./SceneFoot";
import { SceneNotices } from "./SceneNotices";
import { Side } from "./Side";
import { keptDraft } from "./saving/drafts";
import type { Keeper } from "./saving/keeper";
import { useKeeper } from "./saving/useKeeper";
import { texts } from "./texts";
import styles from "./Write.module.css";

const PAUSE_MS = 350;
const AT_LATEST_MS = 2_000;

interface SceneDeskProps {
  story: Story;
  place: Place;
  scene: SceneText;
  /** Somebody else has deleted it. */
  isGone: boolean;
  isSideOpen: boolean;
  keeperRef: RefObject<Keeper | null>;
  onBack(): void;
  onSide(): void;
}

/** One scene on the desk: its text, and beside it what a model would be told. */
export function SceneDesk(props: SceneDeskProps) {
  const { story, place, scene, isGone, isSideOpen, keeperRef, onBack, onSide } = props;
  const storyId = story.id;
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [draft] = useState(() => keptDraft(storyId, scene.id));
  const [newName, setNewName] = useState<string | null>(null);
  const [searched, setSearched] = useState<string | null>(null);
  const pins = usePins(storyId);
  const { budget, choose } = useBudget(storyId, story.settings);
  const [edition, touchEdition] = usePause(PAUSE_MS, AT_LATEST_MS);
  const calling = useNameCalling(storyId);
  const title = usePlaces(storyId).sceneName(place.chapter, place.scene);
  const { editor, read, blockTexts, isComposing, show } = useProse({
    text: draft?.text ?? scene.text,
    label: title,
    language: story.language,
    onWrite: () => {
      keeper.touch();
      touchEdition();
      if (card.shown) card.close();
    },
    onCalling: calling.onCalling,
    onCallingKey: calling.onKey,
  });
  calling.attach(editor);
  useUnderlines(editor, storyId, place, blockTexts);
  const keeper = useKeeper(storyId, place, scene, draft, { read, isComposing, show });
  const card = useNameCard(editor);
  useEffect(() => {
    keeperRef.current = keeper;
    return () => {
      keeperRef.current = null;
    };
  }, [keeper, keeperRef]);
  const group = words.write;
  useShortcuts([
    { keys: "mod+s", label: words.save, group, inFields: true, run: () => void keeper.save() },
    { keys: "mod+j", label: t.keyWho, group, inFields: true, run: card.ask },
    {
      keys: "mod+shift+e",
      label: t.keyNewEntry,
      group,
      inFields: true,
      run: () => setNewName(selectedName(editor) ?? ""),
    },
    { keys: "mod+shift+l", label: t.keyFinds, group, inFields: true, run: () => setSearched(read()) },
  ]);
  const insert = (text: string) => {
    if (!editor) return;
    const { content } = contentOf({ paragraphs: pastedParagraphs(text.trim()) });
    editor
      .chain()
      .insertContentAt(editor.state.doc.content.size, content)
      .focus("end")
      .scrollIntoView()
      .run();
  };
  const named = card.shown?.mention;
  const { data: known } = useQuery({
    ...readNameOptions({ path: { storyId, nameId: named ? idOf(named) : "" } }),
    enabled: named !== undefined,
  });
  return (
    <>
      <section className={styles.text} aria-label={title}>
        <SceneBar title={title} isSideOpen={isSideOpen} onBack={onBack} onSide={onSide} />
        <SceneNotices keeper={keeper} read={read} isRestored={draft !== null} isGone={isGone} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: names in the text answer to the pointer; the keys are shortcuts */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
        <div
          className={styles.paper}
          onPointerOver={card.onPointerOver}
          onPointerLeave={card.leave}
          onClick={(event) => card.onTap(event.target)}
          onScroll={() => card.shown && card.close()}
        >
          <EditorContent editor={editor} className={prose.prose} data-language={story.language} />
        </div>
        <SceneFoot storyId={storyId} keeper={keeper} wordCount={scene.wordCount} />
      </section>
      {isSideOpen && (
        <Side
          storyId={storyId}
          place={place}
          edition={edition}
          pins={pins}
          budget={budget}
          onBudget={choose}
          read={read}
          onInsert={insert}
          onClose={onSide}
        />
      )}
      {calling.isOpen && (
        <NameList
          id={calling.id}
          spot={calling.spot()}
          names={calling.names}
          chosen={calling.place}
          isBusy={calling.isBusy}
          onChoose={calling.insert}
          onPoint={calling.point}
        />
      )}
      {card.shown && known && (
        <NameCard
          storyId={storyId}
          known={known}
          outOfTime={card.shown.mention.outOfTime}
          spot={card.shown.spot}
          takesFocus={card.shown.isAsked}
          isPinned={pins.isPinned(known.entityId, known.entryId)}
          onPin={() => pins.toggle(known.entityId ?? known.entryId ?? "", known.entryId)}
          onStay={card.stay}
          onLeave={card.leave}
          onClose={() => {
            card.close();
            // At once: the command of the same name waits for the next frame, and loses what is typed till then.
            editor?.view.focus();
          }}
        />
      )}
      {editor && <SelectionBar editor={editor} onNew={setNewName} />}
      {searched !== null && (
        <FindsDialog
          storyId={storyId}
          place={place}
          text={searched}
          onClose={() => {
            // At once: while the dialog is there, nothing behind it takes the focus.
            flushSync(() => setSearched(null));
            editor?.view.focus();
          }}
        />
      )}
      {newName !== null && (
        <NewEntryDialog storyId={storyId} name={newName} onClose={() => setNewName(null)} />
      )}
    </>
  );
}
