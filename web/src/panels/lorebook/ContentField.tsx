import { lazy, memo, Suspense } from "react";
import { useStore } from "zustand";
import { Button, IconButton } from "../../design/Button";
import { TextArea } from "../../design/Field";
import { createKeptStore } from "../../kept";
import { useSettled } from "../../story/useSettled";
import { useTexts } from "../../texts/language";
import styles from "./ContentField.module.css";
import { texts } from "./texts";

const PAUSE_MS = 120;

const previewStore = createKeptStore(
  "lorebook:preview",
  true,
  (value): value is boolean => typeof value === "boolean",
);

// The parser weighs a fifth of all that is loaded at first: it comes when it is looked at. Without it, the text is shown as it is.
const Markdown = lazy(() => import("./Markdown").catch(() => ({ default: AsItIs })));

const AsItIs = memo(function AsItIs({ text }: { text: string }) {
  return <p className={styles.plain}>{text}</p>;
});

interface ContentFieldProps {
  content: string;
  onChange(content: string): void;
}

/** What is told, as it is typed and stored, and beside or below it as Markdown looks. */
export function ContentField({ content, onChange }: ContentFieldProps) {
  const t = useTexts(texts);
  const isShown = useStore(previewStore);
  return (
    <div className={styles.content} data-preview={isShown || undefined}>
      <TextArea
        label={t.content}
        placeholder={t.contentHint}
        value={content}
        maxLength={65_536}
        required
        onChange={(event) => onChange(event.target.value)}
      />
      {isShown ? (
        <Preview content={content} onHide={() => previewStore.setState(false)} />
      ) : (
        <Button
          look="quiet"
          size="small"
          icon="eye"
          className={styles.turn ?? ""}
          onClick={() => previewStore.setState(true)}
        >
          {t.preview}
        </Button>
      )}
    </div>
  );
}

function Preview({ content, onHide }: { content: string; onHide(): void }) {
  const t = useTexts(texts);
  const text = useSettled(content, PAUSE_MS);
  return (
    <div className={styles.side}>
      <p className={styles.label} aria-hidden="true">
        {t.preview}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <section className={styles.preview} tabIndex={0} aria-label={t.preview}>
        {text.trim() === "" ? (
          <p className={styles.nothing}>{t.previewHint}</p>
        ) : (
          <Suspense fallback={<AsItIs text={text} />}>
            <Markdown text={text} />
          </Suspense>
        )}
      </section>
      <IconButton
        icon="close"
        size="small"
        className={styles.turn ?? ""}
        label={t.hidePreview}
        onClick={onHide}
      />
    </div>
  );
}
