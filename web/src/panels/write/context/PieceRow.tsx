import { memo } from "react";
import { Link } from "react-router";
import { IconButton } from "../../../design/Button";
import { NodeMark } from "../../../design/NodeMark";
import { coversPage } from "../../../story/addresses";
import { usePlaces } from "../../../story/places";
import { useStory } from "../../../story/story";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Context.module.css";
import { calledBy, type Piece } from "./sections";
import type { Pins } from "./usePins";

const WORDS_SHOWN = 3;

/** One piece: what it is, what it costs, why it is in or out, and what is told of it. */
export const PieceRow = memo(function PieceRow({ piece, pins }: { piece: Piece; pins: Pins }) {
  const t = useTexts(texts);
  const story = useStory();
  const places = usePlaces(story.id);
  const { trace, type, text, entityId } = piece;
  const isPinned = pins.isPinned(trace.id, entityId);
  const words = calledBy(trace).slice(0, WORDS_SHOWN);
  const isPlace = trace.kind === "snapshot" || trace.kind === "passage";
  const reasons = [
    words.length > 0 && trace.reason === "detected" ? t.calledBy(words) : t[trace.reason],
    trace.reason === "budget" && trace.missingTokens ? t.missing(trace.missingTokens) : null,
    trace.reason === "below_line" && trace.threshold ? t.belowLine(trace.score ?? 0, trace.threshold) : null,
    trace.cut ? t.cut : null,
    trace.kind !== "relation" && trace.hopPath?.length ? trace.hopPath.join(" → ") : null,
  ].filter(Boolean);
  return (
    <li className={styles.piece} data-out={!trace.included || undefined}>
      <div className={styles.line}>
        {type && <NodeMark type={type} size={13} />}
        <span className={styles.label}>{isPlace ? places.placeName(trace.label) : trace.label}</span>
        <span className={styles.tokens}>{(trace.tokens ?? 0) > 0 && t.tokens(trace.tokens ?? 0)}</span>
        {(trace.kind === "entry" || trace.kind === "event") && (
          <IconButton
            icon={isPinned ? "close" : "pin"}
            size="small"
            label={isPinned ? t.unpinOf(trace.label) : t.pinOf(trace.label)}
            aria-pressed={isPinned}
            className={styles.pin ?? ""}
            onClick={() => pins.toggle(trace.id, entityId)}
          />
        )}
      </div>
      <p className={styles.reason}>
        {reasons.join(" · ")}
        {trace.withheld && (
          <>
            {" · "}
            <Link to={coversPage(story.id)} title={t.withheldWhy}>
              {t.withheld}
            </Link>
          </>
        )}
      </p>
      {text && <p className={styles.text}>{text}</p>}
    </li>
  );
});
