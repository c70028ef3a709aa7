import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { LorebookEntry } from "../../client/rest";
import { Button } from "../../design/Button";
import { Split } from "../../design/Split";
import { Empty, Loading, Trouble } from "../../design/states";
import { useShortcuts } from "../../keys/shortcuts";
import { ImportDialog } from "../../story/importing/ImportDialog";
import { useStory } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { BulkBar } from "./BulkBar";
import { LEVELS } from "./choices";
import { DeleteDialog } from "./DeleteDialog";
import { fieldsOf, leaveNew, NEW } from "./draft";
import { EntryEditor } from "./EntryEditor";
import { EntryList } from "./EntryList";
import { entriesOptions } from "./entries";
import { ListBar } from "./ListBar";
import styles from "./Lorebook.module.css";
import { texts } from "./texts";
import { useArrangement } from "./useArrangement";
import { useBulk } from "./useBulk";

export default function LorebookPanel() {
  const { id: storyId } = useStory();
  const entries = useQuery(entriesOptions(storyId));
  if (entries.data) return <Lorebook storyId={storyId} entries={entries.data} />;
  if (entries.error) return <Trouble error={entries.error} onRetry={() => void entries.refetch()} />;
  return (
    <div className={styles.waiting}>
      <Loading rows={8} />
    </div>
  );
}

function Lorebook({ storyId, entries }: { storyId: string; entries: LorebookEntry[] }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [params, setParams] = useSearchParams();
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [isImporting, setImporting] = useState(false);
  const [doomed, setDoomed] = useState<LorebookEntry[]>([]);
  const [copies, setCopies] = useState(0);
  const list = useArrangement(entries);
  const bulk = useBulk(storyId);

  const openId = params.get("entry");
  const open = entries.find(({ id }) => id === openId);
  const openEntry = (id: string | null) =>
    setParams((before) => {
      if (id === null) before.delete("entry");
      else before.set("entry", id);
      return before;
    });
  const beginCopy = (entry: LorebookEntry) => {
    const name = t.copyOf(entry.entryKey);
    leaveNew(storyId, { ...fieldsOf(entry), entryKey: name, displayName: name });
    setCopies(copies + 1);
    openEntry(NEW);
  };
  const step = (by: number) => {
    const at = list.shown.findIndex(({ id }) => id === openId);
    const next = list.shown[at < 0 ? 0 : Math.min(list.shown.length - 1, Math.max(0, at + by))];
    if (next) openEntry(next.id);
  };
  const chosen = list.shown.filter(({ id }) => selection.has(id));
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

  const isBare = entries.length === 0;
  const importButton = (
    <Button icon="upload" onClick={() => setImporting(true)}>
      {words.import}
    </Button>
  );
  return (
    <>
      <Split
        name="lorebook"
        label={t.resize}
        narrow={openId === null ? "left" : "right"}
        left={
          <section className={styles.side} aria-label={t.allEntries}>
            {!isBare && (
              <ListBar
                list={list}
                entries={entries}
                onNew={() => openEntry(NEW)}
                onImport={() => setImporting(true)}
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
              />
            )}
          </section>
        }
        right={
          openId === NEW || open ? (
            <EntryEditor
              key={open ? open.id : `${NEW}:${copies}`}
              storyId={storyId}
              entry={open ?? null}
              entries={entries}
              onBack={() => openEntry(null)}
              onCreated={openEntry}
              onOpen={openEntry}
              onDelete={(entry) => setDoomed([entry])}
              onCopy={beginCopy}
            />
          ) : (
            !isBare && (
              <Empty icon="pen" title={t.choose}>
                {t.chooseNext}
              </Empty>
            )
          )
        }
      />
      {isImporting && <ImportDialog storyId={storyId} onClose={() => setImporting(false)} />}
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
    </>
  );
}
