import type { Extraction } from "../../client/rest";
import { Button } from "../../design/Button";
import { Select, TextField } from "../../design/Field";
import { NODE_TYPES } from "../../design/NodeMark";
import { glossary } from "../../texts/glossary";
import { useLanguage, useTexts } from "../../texts/language";
import { type Filter, KINDS, ORDERS, type Shown, typesOf } from "./proposals";
import styles from "./Review.module.css";
import { texts } from "./texts";
import { WhichChoice } from "./WhichChoice";

const LEASTS = [0, 0.5, 0.7, 0.9] as const;

interface QueueBarProps {
  storyId: string;
  all: readonly Extraction[];
  shown: readonly Extraction[];
  which: Shown;
  filter: Filter;
  onWhich(which: Shown): void;
  onFilter(filter: Partial<Filter>): void;
  onRead(): void;
  onSelectAll(): void;
  /** Chooses everything down to the open proposal; null if none is open. */
  onSelectAbove: (() => void) | null;
}

/** What is looked at, and how much of it there is. */
export function QueueBar({
  storyId,
  all,
  shown,
  which,
  filter,
  onWhich,
  onFilter,
  onRead,
  onSelectAll,
  onSelectAbove,
}: QueueBarProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const percent = new Intl.NumberFormat(useLanguage(), { style: "percent" });
  const kinds = {
    entity: t.kindEntity,
    alias: t.kindAlias,
    relation: t.kindRelation,
    event: t.kindEvent,
    time: t.kindTime,
  };
  const orders = { newest: t.newest, use: t.byUse, confidence: t.byConfidence, place: t.byPlace };
  const typeName = (type: string) => words[NODE_TYPES.find((known) => known === type) ?? "custom"];
  return (
    <header className={styles.bar}>
      <div className={styles.row}>
        <WhichChoice storyId={storyId} which={which} onWhich={onWhich} />
        <Button look="primary" icon="plus" onClick={onRead}>
          {t.read}
        </Button>
      </div>
      {all.length > 0 && (
        <>
          <TextField
            id="review-search"
            quiet
            label={t.search}
            type="search"
            placeholder={t.searchHint}
            value={filter.q}
            onChange={(event) => onFilter({ q: event.target.value })}
          />
          <div className={styles.filters}>
            <Select
              quiet
              label={t.kind}
              value={filter.kind}
              onChange={(kind) => onFilter({ kind })}
              options={[
                { value: "all", label: t.allKinds },
                ...KINDS.map((kind) => ({ value: kind, label: kinds[kind] })),
              ]}
            />
            <Select
              quiet
              label={t.type}
              value={filter.type}
              onChange={(type) => onFilter({ type })}
              options={[
                { value: "all", label: t.allTypes },
                ...typesOf(all).map((type) => ({ value: type, label: typeName(type) })),
              ]}
            />
            <Select
              quiet
              label={t.order}
              value={filter.order}
              onChange={(order) => onFilter({ order })}
              options={ORDERS.map((value) => ({ value, label: orders[value] }))}
            />
            <Select
              quiet
              label={t.least}
              value={String(filter.least)}
              onChange={(least) => onFilter({ least: Number(least) })}
              options={LEASTS.map((least) => ({
                value: String(least),
                label: least === 0 ? t.anyConfidence : t.atLeast(percent.format(least)),
              }))}
            />
          </div>
        </>
      )}
      {which === "waiting" && all.length > 0 && (
        <div className={styles.counts}>
          <span>{t.counted(shown.length, all.length)}</span>
          {shown.length > 0 && (
            <button type="button" className={styles.textButton} onClick={onSelectAll}>
              {t.selectAll}
            </button>
          )}
          {onSelectAbove && (
            <button type="button" className={styles.textButton} onClick={onSelectAbove}>
              {t.selectToOpen}
            </button>
          )}
        </div>
      )}
    </header>
  );
}
