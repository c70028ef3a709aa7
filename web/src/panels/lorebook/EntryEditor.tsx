import { useNavigate } from "react-router";
import type { LorebookEntry, StoryLorebook } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { Switch } from "../../design/Field";
import { Meter } from "../../design/Meter";
import { NodeMark } from "../../design/NodeMark";
import { Notice } from "../../design/states";
import { useShortcuts } from "../../keys/shortcuts";
import type { Problem } from "../../server/problem";
import { entityPage } from "../../story/addresses";
import { ConflictDialog } from "../../story/ConflictDialog";
import { OWN_BOOK } from "../../story/lorebooks/books";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { fieldsOf } from "./draft";
import styles from "./EntryEditor.module.css";
import { EntryForm } from "./EntryForm";
import { texts } from "./texts";
import { useEntryWriting } from "./useEntryWriting";
import { useEstimate } from "./useEstimate";

interface EntryEditorProps {
  storyId: string;
  /** Null for an entry that does not exist yet. */
  entry: LorebookEntry | null;
  /** Where a new one is put. */
  newIn: string;
  entries: LorebookEntry[];
  books: readonly StoryLorebook[];
  onBack(): void;
  onCreated(id: string): void;
  onOpen(id: string): void;
  onDelete(entry: LorebookEntry): void;
  onCopy(entry: LorebookEntry): void;
}

/** One entry: what is written stays in the browser until the server has it. */
export default function EntryEditor({
  storyId,
  entry,
  newIn,
  entries,
  books,
  onBack,
  onCreated,
  onOpen,
  onDelete,
  onCopy,
}: EntryEditorProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const navigate = useNavigate();
  const draft = useEntryWriting(storyId, entry, newIn, onCreated);
  const { fields, theirs } = draft;
  const entityId = entry?.entityId;
  const estimate = useEstimate(storyId, fields, entry);
  const book = books.find(({ id }) => id === fields.bookId);
  const isElsewhere = book !== undefined && book.id !== OWN_BOOK;
  // Books of other programs may have entries without content.
  const isFit = fields.entryKey.trim() !== "" && (isElsewhere || fields.content.trim() !== "");
  const save = () => {
    if (draft.isChanged && isFit && !draft.isBusy) draft.save();
  };
  useShortcuts([{ keys: "mod+s", label: words.save, group: words.lorebook, inFields: true, run: save }]);
  return (
    <section className={styles.editor} aria-label={fields.displayName || fields.entryKey || t.newEntry}>
      <header className={styles.header}>
        <IconButton icon="back" label={t.back} className={styles.back ?? ""} onClick={onBack} />
        <NodeMark type={fields.category} size={18} />
        <h2 className={styles.title}>{fields.displayName || fields.entryKey || t.newEntry}</h2>
        <Switch
          label={t.enabled}
          checked={fields.enabled}
          onChange={(enabled) => draft.change({ enabled })}
        />
        {entityId && (
          <IconButton
            icon="eye"
            label={t.entityPage}
            onClick={() => void navigate(entityPage(storyId, entityId))}
          />
        )}
        {entry && <IconButton icon="copy" label={t.copyEntry} onClick={() => onCopy(entry)} />}
        {entry && <IconButton icon="trash" label={words.delete} onClick={() => onDelete(entry)} />}
      </header>
      <div className={styles.body}>
        {draft.isBehind && (
          <Notice
            look="warn"
            actions={
              <Button size="small" onClick={draft.compare}>
                {t.compare}
              </Button>
            }
          >
            {t.newer}
          </Notice>
        )}
        {isElsewhere && (
          <Notice>
            {t.inBook(book.name)} {book.activation === "fabula" ? t.byFabula : t.bySillyTavern}
          </Notice>
        )}
        {draft.isRestored && !draft.isBehind && <Notice>{words.restored}</Notice>}
        {draft.problem && <SaveProblem problem={draft.problem} onOpen={onOpen} />}
        <EntryForm
          fields={fields}
          isScanned={book?.activation === "sillytavern"}
          ownId={entry?.id ?? null}
          entries={entries}
          onChange={draft.change}
        />
      </div>
      <footer className={styles.footer}>
        <Meter
          label={t.meter}
          value={estimate.tokens}
          limit={fields.tokenBudget}
          pending={estimate.isPending}
        />
        <div className={styles.actions}>
          <Button
            disabled={!draft.isChanged}
            onClick={() => {
              draft.discard();
              if (!entry) onBack();
            }}
          >
            {words.discard}
          </Button>
          <Button look="primary" disabled={!draft.isChanged || !isFit || draft.isBusy} onClick={save}>
            {words.save}
          </Button>
        </div>
      </footer>
      {theirs && (
        <ConflictDialog
          name={theirs.displayName}
          labels={{
            entryKey: t.name,
            displayName: t.displayName,
            category: t.category,
            content: t.content,
            keywordsJson: t.keywords,
            aliases: t.aliases,
            attributes: t.attributes,
            priority: t.priority,
            enabled: t.enabled,
            insertionPosition: t.position,
            tokenBudget: t.budget,
            aiContextLevel: t.levelShort,
            rules: t.finer,
            since: t.since,
            until: t.until,
            secrecy: words.secrecy,
            bookId: t.book,
            extensions: t.worldInfo,
          }}
          prose="content"
          joinable={["keywordsJson", "aliases", "attributes"]}
          shown={{ secrecy: (secrecy) => words[secrecy] }}
          base={draft.base}
          mine={fields}
          theirs={fieldsOf(theirs)}
          onClose={draft.closeConflict}
          onTakeTheirs={() => draft.takeTheirs(theirs)}
          onSave={(merged) => draft.saveOver(theirs, merged)}
        />
      )}
    </section>
  );
}

function SaveProblem({ problem, onOpen }: { problem: Problem; onOpen(id: string): void }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const existing = problem.details.existingId;
  return (
    <Notice
      look="danger"
      actions={
        typeof existing === "string" && (
          <Button size="small" onClick={() => onOpen(existing)}>
            {t.openOther}
          </Button>
        )
      }
    >
      <p>{words.notSaved}</p>
      {!problem.isOffline && (
        <p>
          {problem.message} {problem.suggestion}
        </p>
      )}
    </Notice>
  );
}
