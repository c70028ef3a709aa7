import { useQuery } from "@tanstack/react-query";
import { EditorContent } from "@tiptap/react";
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useStore } from "zustand";
import type { SceneText, Story } from "../../client/rest";
import { readNameOptions } from "../../client/rest/@tanstack/react-query.gen";
import { useShortcuts } from "../../keys/shortcuts";
import { loaded } from "../../server/loaded";
import { useMending } from "../../story/findings/findings";
import type { Place } from "../../story/manuscript/place";
import { usePlaces } from "../../story/places";
import type { Prompt } from "../../story/prompts/prompts";
import type { Role } from "../../story/threads/threads";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import type { Question } from "./assistant/Assistant";
import type { Told } from "./assistant/chat";
import { useBudget, usePins } from "./context/usePins";
import { insertAtEnd } from "./editor/inserting";
import { NameCard } from "./editor/NameCard";
import { NameList } from "./editor/NameList";
import prose from "./editor/Prose.module.css";
import type { FirstAsked } from "./editor/SelectionBar";
import { type Part, selectedName, selectedPart } from "./editor/selection";
import { idOf } from "./editor/underlining";
import { useFindings } from "./editor/useFindings";
import { useNameCalling } from "./editor/useNameCalling";
import { useNameCard } from "./editor/useNameCard";
import { usePause } from "./editor/usePause";
import { usePoints } from "./editor/usePoints";
import { useProse } from "./editor/useProse";
import { useSelectedPart } from "./editor/useSelectedPart";
import { useUnderlines } from "./editor/useUnderlines";
import { textLooks } from "./looks/textLooks";
import { keptDraft } from "./saving/drafts";
import type { Keeper } from "./saving/keeper";
import { useKeeper } from "./saving/useKeeper";
import { SceneBar } from "./scene/SceneBar";
import { SceneFoot } from "./scene/SceneFoot";
import { SceneNotices } from "./scene/SceneNotices";
import type { Wish, WishKind, WishMore } from "./suggesting/wishes";
import { texts } from "./texts";
import styles from "./Write.module.css";

// Not needed to write: loaded when they are asked for.
const FindingCard = lazy(() => loaded(() => import("./editor/FindingCard")));
const FindsDialog = lazy(() => loaded(() => import("./editor/FindsDialog")));
const NewEntryDialog = lazy(() => loaded(() => import("./editor/NewEntryDialog")));
const PromptsDialog = lazy(() => loaded(() => import("../../story/prompts/PromptsDialog")));
const SelectionBar = lazy(() => loaded(() => import("./editor/SelectionBar")));
const VoiceDialog = lazy(() => loaded(() => import("./editor/VoiceDialog")));
const MarkDialog = lazy(() => loaded(() => import("./editor/MarkDialog")));
const Side = lazy(() => loaded(() => import("./Side")));
const Suggesting = lazy(() => loaded(() => import("./suggesting/Suggesting")));
const NewNameMarks = lazy(() => loaded(() => import("./newNames/NewNameMarks")));
const EstablishDialog = lazy(() => loaded(() => import("./editor/EstablishDialog")));

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
  const [newEntry, setNewEntry] = useState<{ name: string; told: string } | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [firstAsked, setFirstAsked] = useState<Exclude<FirstAsked, "question"> | null>(null);
  const [searched, setSearched] = useState<string | null>(null);
  const [marked, setMarked] = useState<{ part: Part; role: Role } | null>(null);
  const [establishing, setEstablishing] = useState<Part | null>(null);
  const [wish, setWish] = useState<Wish | null>(null);
  const [wishSaid, setWishSaid] = useState("");
  const [told, setTold] = useState<Told | null>(null);
  const askWho = useRef<(() => void) | null>(null);
  const looks = useStore(textLooks);
  const pins = usePins(storyId);
  const { budget, choose } = useBudget(storyId, story.settings);
  const [edition, touchEdition] = usePause(PAUSE_MS, AT_LATEST_MS);
  const calling = useNameCalling(storyId);
  const title = usePlaces(storyId).sceneName(place.chapter, place.scene);
  const { editor, read, blockTexts, gap, isComposing, show } = useProse({
    text: draft?.text ?? scene.text,
    label: title,
    language: story.language,
    onWrite: () => {
      keeper.touch();
      touchEdition();
      if (card.shown) card.close();
      if (findings.card) findings.close();
    },
    onCalling: calling.onCalling,
    onCallingKey: calling.onKey,
    onSuggest: () => suggest("continue"),
  });
  calling.attach(editor);
  useUnderlines(editor, storyId, place, blockTexts);
  const keeper = useKeeper(storyId, place, scene, draft, { read, isComposing, show });
  const card = useNameCard(editor);
  const findings = useFindings(editor, storyId, place, scene, gap);
  const mending = useMending(storyId, keeper.save);
  usePoints(editor, storyId, scene.id, gap);
  useSelectedPart(editor, read, gap);
  useEffect(() => {
    keeperRef.current = keeper;
    return () => {
      keeperRef.current = null;
    };
  }, [keeper, keeperRef]);
  const suggest = (kind: WishKind, more?: WishMore): boolean => {
    if (!editor || wish) return false;
    // The words for it come with the first wish.
    void import("./suggesting/wishes").then(({ wishAt }) => setWish(wishAt(editor, gap(), kind, more)));
    return true;
  };
  const ask = (asked: Partial<Question>) => {
    const quotation = selectedPart(editor, gap())?.quotation ?? null;
    setQuestion({ quotation, instruction: null, asking: {}, ...asked });
    if (!isSideOpen) onSide();
  };
  const askFirst = (first: typeof firstAsked) => {
    // A card behind a dialog would take its Escape.
    card.close();
    setFirstAsked(first);
  };
  const choosePrompt = (prompt: Prompt) => {
    setFirstAsked(null);
    const { instruction, send, model } = prompt;
    if (prompt.use === "conversation") ask({ instruction, asking: { send, task: model } });
    else suggest(prompt.use === "selection" ? "rewrite" : "continue", { prompt });
  };
  const group = words.write;
  useShortcuts([
    { keys: "mod+Enter", label: t.keySuggest, group, inFields: true, run: () => void suggest("continue") },
    { keys: "mod+s", label: words.save, group, inFields: true, run: () => void keeper.save() },
    { keys: "mod+j", label: t.keyWho, group, inFields: true, run: () => card.ask() || askWho.current?.() },
    {
      keys: "mod+shift+e",
      label: t.keyNewEntry,
      group,
      inFields: true,
      run: () => setNewEntry({ name: selectedName(editor) ?? "", told: "" }),
    },
    { keys: "mod+shift+l", label: t.keyFinds, group, inFields: true, run: () => setSearched(read()) },
    { keys: "mod+shift+y", label: t.keyPrompts, group, inFields: true, run: () => askFirst("prompts") },
    { keys: "mod+shift+u", label: t.keyAsk, group, inFields: true, run: () => ask({}) },
    { keys: "F8", label: t.keyNextFinding, group, inFields: true, run: () => findings.step(1) },
    { keys: "shift+F8", label: t.keyBeforeFinding, group, inFields: true, run: () => findings.step(-1) },
    {
      keys: "mod+shift+k",
      label: t.keyMark,
      group,
      inFields: true,
      run: () => {
        const part = selectedPart(editor, gap());
        if (part) setMarked({ part, role: "plants" });
      },
    },
    {
      keys: "mod+shift+h",
      label: t.keyEstablish,
      group,
      inFields: true,
      run: () => setEstablishing(selectedPart(editor, gap())),
    },
  ]);
  const named = card.shown?.mention;
  const { data: known } = useQuery({
    ...readNameOptions({ path: { storyId, nameId: named ? idOf(named) : "" } }),
    enabled: named !== undefined,
  });
  return (
    <>
      <section className={styles.text} aria-label={title}>
        <SceneBar
          story={story}
          place={place}
          scene={scene}
          title={title}
          isSideOpen={isSideOpen}
          onBack={onBack}
          onSide={onSide}
        />
        <SceneNotices keeper={keeper} read={read} isRestored={draft !== null} isGone={isGone} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: names in the text answer to the pointer; the keys are shortcuts */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
        <div
          className={styles.paper}
          data-size={looks.size}
          data-width={looks.width}
          data-lines={looks.lines}
          data-focus={looks.isFocused || undefined}
          onPointerOver={(event) => {
            card.onPointerOver(event);
            findings.onPointerOver(event);
          }}
          onPointerLeave={() => {
            card.leave();
            findings.leave();
          }}
          onClick={(event) => {
            card.onTap(event.target);
            findings.onTap(event.target);
          }}
          onScroll={() => {
            if (card.shown) card.close();
            if (findings.card && !findings.card.isAsked) findings.close();
          }}
        >
          <EditorContent editor={editor} className={prose.prose} data-language={story.language} />
        </div>
        <p className="visually-hidden" role="status">
          {findings.atCursor?.message}
        </p>
        <p className="visually-hidden" role="status">
          {wishSaid}
        </p>
        <Suspense>
          {wish && editor && (
            <Suggesting
              story={story}
              editor={editor}
              place={place}
              budget={budget}
              pins={pins.pins}
              wish={wish}
              onTold={setTold}
              onClose={(told) => {
                setWish(null);
                setWishSaid(told);
              }}
            />
          )}
        </Suspense>
        <SceneFoot
          storyId={storyId}
          keeper={keeper}
          wordCount={scene.wordCount}
          goal={scene.plan.wordGoal ?? null}
          findingCount={findings.findings.length}
          onFinding={() => findings.step(1)}
          onSuggest={() => suggest("continue")}
        />
      </section>
      {isSideOpen && (
        <Suspense fallback={<div className={styles.side} />}>
          <Side
            storyId={storyId}
            place={place}
            edition={edition}
            pins={pins}
            budget={budget}
            onBudget={choose}
            read={read}
            onInsert={(text) => insertAtEnd(editor, text)}
            question={question}
            onQuestion={setQuestion}
            onClose={onSide}
            told={told}
            onForget={() => setTold(null)}
          />
        </Suspense>
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
      <Suspense>
        {findings.card && (
          <FindingCard
            storyId={storyId}
            finding={findings.card.finding}
            mending={mending}
            spot={findings.card.spot}
            takesFocus={findings.card.isAsked}
            onStay={findings.stay}
            onLeave={findings.leave}
            onClose={() => {
              findings.close();
              editor?.view.focus();
            }}
          />
        )}
        {editor && (
          <SelectionBar
            editor={editor}
            gap={gap}
            onNew={setNewEntry}
            onMark={(part, role) => setMarked({ part, role })}
            onEstablish={setEstablishing}
            onWish={suggest}
            onAsk={(first) => (first === "question" ? ask({}) : askFirst(first))}
          />
        )}
        {editor && (
          <NewNameMarks
            storyId={storyId}
            place={place}
            edition={edition}
            read={read}
            editor={editor}
            gap={gap}
            askRef={askWho}
          />
        )}
        {marked && (
          <MarkDialog
            storyId={storyId}
            sceneId={scene.id}
            {...marked}
            save={keeper.save}
            onClose={() => setMarked(null)}
          />
        )}
        {establishing && (
          <EstablishDialog
            storyId={storyId}
            sceneId={scene.id}
            part={establishing}
            save={keeper.save}
            onClose={() => setEstablishing(null)}
          />
        )}
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
        {newEntry && <NewEntryDialog storyId={storyId} {...newEntry} onClose={() => setNewEntry(null)} />}
        {firstAsked === "prompts" && (
          <PromptsDialog
            story={story}
            isSelected={editor?.state.selection.empty === false}
            onChoose={choosePrompt}
            onClose={() => setFirstAsked(null)}
          />
        )}
        {firstAsked === "voice" && (
          <VoiceDialog
            storyId={storyId}
            onChoose={(whom) => {
              setFirstAsked(null);
              suggest("voice", { whom });
            }}
            onClose={() => setFirstAsked(null)}
          />
        )}
      </Suspense>
    </>
  );
}
