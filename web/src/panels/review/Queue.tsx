import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { Extraction, ProposalUse } from "../../client/rest";
import { Confidence } from "../../design/Confidence";
import { NodeMark } from "../../design/NodeMark";
import { usePlaces } from "../../story/places";
import { useTexts } from "../../texts/language";
import { otherOf } from "./proposals";
import styles from "./Queue.module.css";
import { texts } from "./texts";

const HEIGHT = 76;

interface QueueProps {
  storyId: string;
  proposals: readonly Extraction[];
  uses: ReadonlyMap<string, ProposalUse>;
  openId: string | null;
  selection: ReadonlySet<string>;
  /** Decided ones cannot be chosen for a batch. */
  canSelect: boolean;
  onOpen(id: string): void;
  onToggle(id: string): void;
  /** Chooses everything from the first down to this one. */
  onSelectTo(id: string): void;
}

/** The proposals, one under the other; only those in sight are there. */
export function Queue({
  storyId,
  proposals,
  uses,
  openId,
  selection,
  canSelect,
  onOpen,
  onToggle,
  onSelectTo,
}: QueueProps) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: proposals.length,
    getScrollElement: () => box.current,
    estimateSize: () => HEIGHT,
    getItemKey: (place) => proposals[place]?.id ?? place,
    overscan: 8,
  });
  const openAt = proposals.findIndex(({ id }) => id === openId);
  useEffect(() => {
    if (openAt >= 0) rows.scrollToIndex(openAt, { align: "auto" });
  }, [openAt, rows]);
  return (
    <div ref={box} className={styles.list}>
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const proposal = proposals[index];
          if (!proposal) return null;
          const { id, entityName, entityType, kind, confidence, sourceText } = proposal;
          const other = otherOf(proposal);
          const use = uses.get(id);
          return (
            <li
              key={key}
              className={styles.item}
              data-open={id === openId || undefined}
              style={{ translate: `0 ${start}px`, height: HEIGHT }}
              aria-setsize={proposals.length}
              aria-posinset={index + 1}
            >
              {canSelect ? (
                <label className={styles.tick}>
                  <span className="visually-hidden">{t.select(entityName)}</span>
                  <input
                    type="checkbox"
                    checked={selection.has(id)}
                    title={t.selectToHere}
                    onClick={(event) => event.shiftKey && onSelectTo(id)}
                    onChange={() => onToggle(id)}
                  />
                </label>
              ) : (
                <span className={styles.gap} />
              )}
              <button
                type="button"
                className={styles.open}
                aria-current={id === openId ? "true" : undefined}
                onClick={() => onOpen(id)}
              >
                <span className={styles.name}>
                  <NodeMark
                    type={
                      kind === "relation" || kind === "time"
                        ? "custom"
                        : kind === "event"
                          ? "event"
                          : entityType
                    }
                  />
                  <span className={styles.title}>
                    {entityName}
                    {other !== null && other !== entityName && (
                      <span className={styles.other}>
                        {kind === "alias" ? " = " : " → "}
                        {other}
                      </span>
                    )}
                  </span>
                </span>
                <Confidence label={t.confidence} value={confidence} />
                <span className={styles.text}>
                  {use && (
                    <span className={styles.use}>
                      {t.used(
                        use.times,
                        places.shortName(use.firstChapter),
                        places.shortName(use.lastChapter),
                      )}
                    </span>
                  )}
                  {sourceText || t.sourceNone}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
