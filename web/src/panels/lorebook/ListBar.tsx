import type { LorebookEntry, StoryLorebook } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { Select, TextField } from "../../design/Field";
import { OWN_BOOK } from "../../story/lorebooks/books";
import { texts as bookTexts } from "../../story/lorebooks/texts";
import { glossary } from "../../texts/glossary";
import { useLanguage, useTexts } from "../../texts/language";
import { SORTS, totals, WHICH } from "./arrange";
import { CATEGORIES, LEVELS } from "./choices";
import styles from "./Lorebook.module.css";
import { texts } from "./texts";
import type { Arrangement } from "./useArrangement";

interface ListBarProps {
  list: Arrangement;
  entries: LorebookEntry[];
  books: readonly StoryLorebook[];
  onNew(): void;
  onBooks(): void;
  onImport(): void;
  onExport(): void;
  onSelectAll(): void;
}

/** Above the list: what to look for, in which order, and how much there is. */
export function ListBar({
  list,
  entries,
  books,
  onNew,
  onBooks,
  onImport,
  onExport,
  onSelectAll,
}: ListBarProps) {
  const t = useTexts(texts);
  const b = useTexts(bookTexts);
  const words = useTexts(glossary);
  const number = new Intl.NumberFormat(useLanguage());
  const { all, enabled } = totals(entries);
  const which = {
    all: t.allEntries,
    enabled: t.onlyEnabled,
    disabled: t.onlyDisabled,
    doubled: t.onlyDoubled,
    over: t.onlyOver,
  };
  const sorts = { priority: t.sortPriority, name: t.sortName, tokens: t.sortTokens, updated: t.sortUpdated };
  return (
    <header className={styles.bar}>
      <div className={styles.row}>
        <div className={styles.grow}>
          <TextField
            id="lorebook-search"
            type="search"
            quiet
            label={t.search}
            placeholder={t.searchHint}
            value={list.filter.q}
            onChange={(event) => list.setFilter({ q: event.target.value })}
          />
        </div>
        <Button
          look="primary"
          icon="plus"
          aria-label={t.newEntry}
          title={`${t.newEntry} (N)`}
          onClick={onNew}
        />
        <IconButton icon="books" look="plain" label={t.books} onClick={onBooks} />
        <IconButton icon="upload" look="plain" label={words.import} onClick={onImport} />
        <IconButton
          icon="download"
          look="plain"
          label={words.export}
          disabled={entries.length === 0}
          onClick={onExport}
        />
      </div>
      <div className={styles.filters}>
        {books.length > 1 && (
          <div className={styles.wide}>
            <Select
              quiet
              label={t.book}
              value={list.filter.book}
              onChange={(book) => list.setFilter({ book })}
              options={[
                { value: "all", label: t.allBooks },
                ...books.map(({ id, name, entryCount }) => ({
                  value: id,
                  label: t.bookCounted(id === OWN_BOOK ? b.ownBook : name, entryCount),
                })),
              ]}
            />
          </div>
        )}
        <Select
          quiet
          label={t.category}
          value={list.filter.category}
          onChange={(category) => list.setFilter({ category })}
          options={[
            { value: "all", label: t.allCategories },
            ...CATEGORIES.map((value) => ({ value, label: words[value] })),
          ]}
        />
        <Select
          quiet
          label={t.levelShort}
          value={list.filter.level}
          onChange={(level) => list.setFilter({ level })}
          options={[
            { value: "all", label: t.allLevels },
            ...LEVELS.map((value) => ({ value, label: words[value] })),
          ]}
        />
        <Select
          quiet
          label={t.which}
          value={list.filter.which}
          onChange={(value) => list.setFilter({ which: value })}
          options={WHICH.map((value) => ({ value, label: which[value] }))}
        />
        <Select
          quiet
          label={t.sort}
          value={list.sort}
          onChange={list.setSort}
          options={SORTS.map((value) => ({ value, label: `${t.sort}: ${sorts[value]}` }))}
        />
      </div>
      <div className={styles.counts}>
        <span>{t.counted(list.shown.length, entries.length)}</span>
        <span>{t.totalTokens(number.format(enabled), number.format(all))}</span>
        <span className={styles.links}>
          {list.isOutOfOrder && (
            <button type="button" className={styles.textButton} onClick={list.sortAgain}>
              {t.sortAgain}
            </button>
          )}
          {list.isFiltered && (
            <button type="button" className={styles.textButton} onClick={list.clear}>
              {t.clearFilters}
            </button>
          )}
          {list.shown.length > 0 && (
            <button type="button" className={styles.textButton} onClick={onSelectAll}>
              {t.selectAll}
            </button>
          )}
        </span>
      </div>
    </header>
  );
}
