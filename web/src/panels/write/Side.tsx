import { lazy, Suspense, useEffect, useState } from "react";
import { Button, IconButton } from "../../design/Button";
import { loaded } from "../../server/loaded";
import type { Place } from "../../story/manuscript/place";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import type { Question } from "./assistant/Assistant";
import type { Told } from "./assistant/chat";
import { ContextPanel } from "./context/ContextPanel";
import type { Pins } from "./context/usePins";
import { texts } from "./texts";
import styles from "./Write.module.css";

// Not needed to write: loaded when it is asked for.
const ToldPieces = lazy(() => loaded(() => import("./context/ToldPieces")));
const Assistant = lazy(() => loaded(() => import("./assistant/Assistant")));

interface SideProps {
  storyId: string;
  place: Place;
  edition: number;
  pins: Pins;
  budget: number;
  onBudget(budget: number): void;
  read(): string;
  onInsert(text: string): void;
  question: Question | null;
  onQuestion(question: Question | null): void;
  onClose(): void;
  /** What the newest suggestion was told. */
  told: Told | null;
  onForget(): void;
}

/** Beside the text: the context, and the conversation. Both stay while one looks at the other. */
export default function Side({
  onInsert,
  onClose,
  question,
  onQuestion,
  told,
  onForget,
  ...shared
}: SideProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [tab, setTab] = useState<"context" | "assistant">("context");
  const { storyId, place, budget, pins, read } = shared;
  useEffect(() => {
    if (question) setTab("assistant");
  }, [question]);
  return (
    <aside className={styles.side} aria-label={t.beside}>
      <div className={styles.tabs}>
        <Button size="small" look="quiet" aria-pressed={tab === "context"} onClick={() => setTab("context")}>
          {t.context}
        </Button>
        <Button
          size="small"
          look="quiet"
          aria-pressed={tab === "assistant"}
          onClick={() => setTab("assistant")}
        >
          {t.assistant}
        </Button>
        <IconButton
          icon="close"
          size="small"
          label={words.close}
          className={styles.closeSide ?? ""}
          onClick={onClose}
        />
      </div>
      <div className={styles.sideBody} hidden={tab !== "context"}>
        {told && (
          <Suspense>
            <ToldPieces told={told} pins={pins} onClose={onForget} />
          </Suspense>
        )}
        <ContextPanel {...shared} />
      </div>
      <div className={styles.sideBody} hidden={tab !== "assistant"}>
        <Suspense>
          <Assistant
            storyId={storyId}
            place={place}
            budget={budget}
            pins={pins.pins}
            read={read}
            onInsert={onInsert}
            question={question}
            onQuestion={onQuestion}
          />
        </Suspense>
      </div>
    </aside>
  );
}
