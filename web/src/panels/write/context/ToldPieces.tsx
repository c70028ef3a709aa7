import { useMemo } from "react";
import { IconButton } from "../../../design/Button";
import { glossary } from "../../../texts/glossary";
import { inBoth, useTexts } from "../../../texts/language";
import type { Told } from "../assistant/chat";
import { texts as words } from "../texts";
import styles from "./Context.module.css";
import { PieceRow } from "./PieceRow";
import type { Pins } from "./usePins";

const texts = inBoth({
  title: ["What the last suggestion was told", "上一条建议得知的内容"],
  none: ["Nothing but the text and your wish.", "除了正文和你的要求，没有别的。"],
  cut: ["The model's window had no room for all of it.", "模型的窗口放不下全部内容。"],
  unheard: ["The model's window had no room for it.", "模型的窗口放不下这些内容。"],
});

/** The receipt of a suggestion: exactly what this call was told, which may differ from what would be told now. */
export default function ToldPieces({ told, pins, onClose }: { told: Told; pins: Pins; onClose(): void }) {
  const t = useTexts(texts);
  const say = useTexts(words);
  const close = useTexts(glossary).close;
  const pieces = useMemo(() => told.trace.filter(({ included }) => included), [told]);
  return (
    <section className={styles.receipt} aria-label={t.title}>
      <header>
        <h3>{t.title}</h3>
        <span className={styles.count}>{say.countAndTokens(pieces.length, told.estimatedTokens)}</span>
        <IconButton icon="close" size="small" label={close} onClick={onClose} />
      </header>
      {told.memory !== "whole" && <p className={styles.stale}>{told.memory === "cut" ? t.cut : t.unheard}</p>}
      {pieces.length === 0 && <p className={styles.reason}>{t.none}</p>}
      <ul>
        {pieces.map((trace) => (
          <PieceRow
            key={`${trace.kind}:${trace.id}`}
            piece={{ trace, type: null, text: "", entityId: null }}
            pins={pins}
          />
        ))}
      </ul>
    </section>
  );
}
