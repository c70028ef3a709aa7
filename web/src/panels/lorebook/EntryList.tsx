import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { AiContextLevel, LorebookEntry } from "../../client/rest";
import { Icon, type IconName } from "../../design/icons";
import { NodeMark } from "../../design/NodeMark";
import { glossary } from "../../texts/glossary";
import { useLanguage, useTexts } from "../../texts/language";
import { isOver, sharedKey, wordsOf } from "./arrange";
import { isLeft } from "./draft";
import styles from "./EntryList.module.css";
import { texts } from "./texts";

interface EntryListProps {
  storyId: string;
  entries: LorebookEntry[];
  shared: ReadonlyMap<string, readonly string[]>;
  openId: string | null;
  selection: ReadonlySet<string>;
  onOpen(id: string): void;
  onToggle(id: string): void;
}

const ROW = 68;
const LEVEL_ICONS: Record<AiContextLevel, IconName> = {
  always: "sun",
  when_detected: "eye",
  manual_only: "hand",
  never: "lock",
};

/** Only the rows in sight are drawn, so that ten thousand entries scroll like ten. */
export function EntryList({ storyId, entries, shared, openId, selection, onOpen, onToggle }: EntryListProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const number = new Intl.NumberFormat(useLanguage());
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const openAt = entries.findIndex(({ id }) => id === openId);
  useEffect(() => {
    if (openAt >= 0) rows.scrollToIndex(openAt, { align: "auto" });
  }, [openAt, rows]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div ref={box} className={styles.list} tabIndex={0} role="group" aria-label={t.allEntries}>
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index];
          if (!entry) return null;
          const isShared = wordsOf(entry).some((word) => shared.has(sharedKey(entry, word)));
          return (
            <li
              key={entry.id}
              className={styles.item}
              style={{ transform: `translateY(${start}px)` }}
              data-open={entry.id === openId || undefined}
              data-off={!entry.enabled || undefined}
              aria-setsize={entries.length}
              aria-posinset={index + 1}
            >
              <label className={styles.tick}>
                <input
                  type="checkbox"
                  checked={selection.has(entry.id)}
                  onChange={() => onToggle(entry.id)}
                  aria-label={t.select(entry.displayName)}
                />
              </label>
              <button
                type="button"
                className={styles.open}
                aria-current={entry.id === openId || undefined}
                onClick={() => onOpen(entry.id)}
              >
                <span className={styles.name}>
                  <NodeMark type={entry.category} />
                  <span className={styles.title}>{entry.displayName}</span>
                  <span className="visually-hidden">{words[entry.category]}</span>
                  {!entry.enabled && <span className={styles.flag}>{t.off}</span>}
                  {isShared && (
                    <span className={styles.flag} data-look="warn">
                      {t.onlyDoubled}
                    </span>
                  )}
                  {isLeft(storyId, entry.id) && (
                    <span className={styles.flag} data-look="warn">
                      {t.unsaved}
                    </span>
                  )}
                </span>
                <span className={styles.text}>{entry.content}</span>
                <span className={styles.figures}>
                  <span title={words[entry.aiContextLevel]}>
                    <Icon name={LEVEL_ICONS[entry.aiContextLevel]} size={14} />
                    <span className="visually-hidden">{words[entry.aiContextLevel]}</span>
                  </span>
                  {entry.priority !== 0 && <span title={t.priority}>↑{number.format(entry.priority)}</span>}
                  <span
                    data-over={isOver(entry) || undefined}
                    title={isOver(entry) ? t.overBudget : undefined}
                  >
                    {t.tokensOf(entry.estimatedTokens)}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
