import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import type { LorebookEntry, StoryLorebook } from "../../client/rest";
import { Button } from "../../design/Button";
import { Split } from "../../design/Split";
import { Empty, Loading, Trouble } from "../../design/states";
import { useShortcuts } from "../../keys/shortcuts";
import { loaded } from "../../server/loaded";
import { Importing } from "../../story/importing/Importing";
import importing from "../../story/importing/Importing.module.css";
import { texts as importTexts } from "../../story/importing/texts";
import { useDrop } from "../../story/importing/useDrop";
import { booksOptions, OWN_BOOK } from "../../story/lorebooks/books";
import { useStory } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { BulkBar } from "./BulkBar";
import { LEVELS } from "./choices";
import { DeleteDialog } from "./DeleteDialog";
import { copyOf, leaveNew, NEW } from "./draft";
import { EntryList } from "./EntryList";
import { entriesOptions } from "./entries";
import { ListBar } from "./ListBar";
import styles from "./Lorebook.module.css";
import { texts } from "./texts";
import { useArrangement } from "./useArrangement";
import { useBulk } from "./useBulk";

// Not needed to see the list: loaded when they are asked for.
const Books = lazy(() => loaded(() => import("./Books")));
const EntitiesDialog = lazy(() => loaded(() => import("./EntitiesDialog")));
const fetchEditor = () => import("./EntryEditor");
const EntryEditor = lazy(() => loaded(fetchEditor));
const ExportDialog = lazy(() => loaded(() => import("./ExportDialog")));

/** In the address, whoever looks at the books. */
const BOOKS = "books";

export default function LorebookPanel() {
  const { id: storyId } = useStory();
  const entries = useQuery(entriesOptions(storyId));
  const books = useQuery(booksOptions(storyId));
  if (entries.data && books.data)
    return <Lorebook storyId={storyId} entries={entries.data} books={books.data.items} />;
  const failed = [entries, books].find(({ error }) => error);
  if (failed) return <Trouble error={failed.error} onRetry={() => void failed.refetch()} />;
  return (
    <div className={styles.waiting}>
      <Loading rows={8} />
    </div>
  );
}

interface LorebookProps {
  storyId: string;
  entries: LorebookEntry[];
  books: readonly StoryLorebook[];
}

function Lorebook({ storyId, entries, books }: LorebookProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [params, setParams] = useSearchParams();
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [imported, setImported] = useState<{ file: File | null } | null>(null);
  const [doomed, setDoomed] = useState<LorebookEntry[]>([]);
  const [exported, setExported] = useState<string | null>(null);
  const [promoted, setPromoted] = useState<LorebookEntry[]>([]);
  const [copies, setCopies] = useState(0);
  const list = useArrangement(entries);
  const bookShown = list.filter.book === "all" ? OWN_BOOK : list.filter.book;
  const bulk = useBulk(storyId);
  const dropTexts = useTexts(importTexts);
  const drop = useDrop((file) => setImported({ file }));
  useEffect(() => {
    // Fetched before it is needed, so that a new entry can be begun without a connection.
    fetchEditor().catch(() => undefined);
  }, []);

  const openId = params.get("entry");
  const open = entries.find(({ id }) => id === openId);
  const isBooksAsked = params.has(BOOKS);
  const openEntry = (id: string | null) =>
    setParams((before) => {
      before.delete(BOOKS);
      if (id === null) before.delete("entry");
      else before.set("entry", id);
      return before;
    });
  const openBooks = () =>
    setParams((before) => {
      before.delete("entry");
      before.set(BOOKS, "");
      return before;
    });
  const showBook = (id: string) =>
    setParams((before) => {
      before.delete(BOOKS);
      before.set("book", id);
      return before;
    });
  const beginCopy = (entry: LorebookEntry) => {
    const name = t.copyOf(entry.entryKey);
    leaveNew(storyId, copyOf(entry, name));
    setCopies(copies + 1);
    openEntry(NEW);
  };
  const step = (by: number) => {
    const at = list.shown.findIndex(({ id }) => id === openId);
    const next = list.shown[at < 0 ? 0 : Math.min(list.shown.length - 1, Math.max(0, at + by))];
    if (next) openEntry(next.id);
  };
  const chosen = list.shown.filter(({ id }) => selection.has(id));
  const ofOthers = chosen.filter(({ bookId }) => bookId !== OWN_BOOK);
  const meant = chosen.length > 0 ? chosen : open ? [open] : [];
  const toggle = (id: string) => {
    const next = new Set(selection);
    if (!next.delete(id)) next.add(id);
    setSelection(next);
  };
  const group = words.lorebook;
  useShortcuts([
    { keys: "n", label: t.newEntry, group, run: () => openEntry(NEW) },
    { keys: "/", label: t.search, group, run: () => document.getElementById("lorebook-search")?.focus() },
    { keys: "j", label: t.keyNext, group, run: () => step(1) },
    { keys: "k", label: t.keyBefore, group, run: () => step(-1) },
    { keys: "x", label: t.keySelect, group, run: () => open && toggle(open.id) },
    {
      keys: "mod+a",
      label: t.keySelectAll,
      group,
      run: () => setSelection(new Set(list.shown.map(({ id }) => id))),
    },
    {
      keys: "e",
      label: t.keyEnable,
      group,
      run: () => void bulk.change(meant, { enabled: !meant.every(({ enabled }) => enabled) }),
    },
    ...LEVELS.map((level, place) => ({
      keys: String(place + 1),
      label: t.keyLevel(words[level]),
      group,
      run: () => void bulk.change(meant, { aiContextLevel: level }),
    })),
  ]);

  const isBare = entries.length === 0 && books.length < 2;
  const isBooksOpen = openId === null && (isBooksAsked || books.length > 1);
  const importButton = (
    <Button icon="upload" onClick={() => setImported({ file: null })}>
      {words.import}
    </Button>
  );
  return (
    <section className={styles.panel} aria-label={words.lorebook} {...drop.target}>
      <Split
        name="lorebook"
        label={t.resize}
        narrow={openId === null && !isBooksAsked ? "left" : "right"}
        left={
          <section className={styles.side} aria-label={t.allEntries}>
            {!isBare && (
              <ListBar
                list={list}
                entries={entries}
                books={books}
                onNew={() => openEntry(NEW)}
                onBooks={openBooks}
                onImport={() => setImported({ file: null })}
                onExport={() => setExported(bookShown)}
                onSelectAll={() => setSelection(new Set(list.shown.map(({ id }) => id)))}
              />
            )}
            {isBare ? (
              <Empty
                title={t.none}
                actions={
                  <>
                    <Button look="primary" icon="plus" onClick={() => openEntry(NEW)}>
                      {t.newEntry}
                    </Button>
                    {importButton}
                  </>
                }
              >
                {t.noneNext}
              </Empty>
            ) : list.shown.length === 0 ? (
              <Empty
                icon="filter"
                title={t.noneFits}
                actions={<Button onClick={list.clear}>{t.clearFilters}</Button>}
              />
            ) : (
              <EntryList
                storyId={storyId}
                entries={list.shown}
                shared={list.shared}
                openId={openId}
                selection={selection}
                onOpen={openEntry}
                onToggle={toggle}
              />
            )}
            {chosen.length > 0 && (
              <BulkBar
                count={chosen.length}
                onChange={(patch) => void bulk.change(chosen, patch)}
                onDelete={() => setDoomed(chosen)}
                onClear={() => setSelection(new Set())}
                onEntities={ofOthers.length > 0 ? () => setPromoted(ofOthers) : null}
              />
            )}
          </section>
        }
        right={
          <Suspense fallback={<Loading rows={6} />}>
            {openId === NEW || open ? (
              <EntryEditor
                key={open ? open.id : `${NEW}:${bookShown}:${copies}`}
                storyId={storyId}
                entry={open ?? null}
                newIn={bookShown}
                entries={entries}
                books={books}
                onBack={() => openEntry(null)}
                onCreated={openEntry}
                onOpen={openEntry}
                onDelete={(entry) => setDoomed([entry])}
                onCopy={beginCopy}
              />
            ) : isBooksOpen ? (
              <Books
                storyId={storyId}
                books={books}
                onBack={() => openEntry(null)}
                onShow={showBook}
                onExport={setExported}
                onImport={() => setImported({ file: null })}
              />
            ) : (
              !isBare && (
                <Empty icon="pen" title={t.choose}>
                  {t.chooseNext}
                </Empty>
              )
            )}
          </Suspense>
        }
      />
      {drop.isOver && <p className={importing.drop}>{dropTexts.drop}</p>}
      {imported && <Importing storyId={storyId} file={imported.file} onClose={() => setImported(null)} />}
      <Suspense>
        {exported && (
          <ExportDialog storyId={storyId} books={books} bookId={exported} onClose={() => setExported(null)} />
        )}
        {promoted.length > 0 && (
          <EntitiesDialog
            entries={promoted}
            onMake={(category) => bulk.makeEntities(promoted, category)}
            onClose={() => {
              setPromoted([]);
              setSelection(new Set());
            }}
          />
        )}
      </Suspense>
      {doomed.length > 0 && (
        <DeleteDialog
          entries={doomed}
          onClose={() => setDoomed([])}
          onDelete={async () => {
            if (!(await bulk.remove(doomed))) return;
            setSelection(new Set());
            setDoomed([]);
            if (doomed.some(({ id }) => id === openId)) openEntry(null);
          }}
        />
      )}
    </section>
  );
}
