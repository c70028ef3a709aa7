import { useState } from "react";
import { useNavigate } from "react-router";
import { deleteBook, type StoryLorebook, updateBook } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Switch } from "../../design/Field";
import { act } from "../../story/act";
import { panelOf } from "../../story/addresses";
import { OWN_BOOK } from "../../story/lorebooks/books";
import { formatName } from "../../story/lorebooks/formats";
import { texts as bookTexts } from "../../story/lorebooks/texts";
import { glossary } from "../../texts/glossary";
import { useLanguage, useTexts } from "../../texts/language";
import { BookDialog } from "./BookDialog";
import styles from "./Books.module.css";
import { texts } from "./texts";

interface BooksProps {
  storyId: string;
  books: readonly StoryLorebook[];
  onBack(): void;
  onShow(bookId: string): void;
  onExport(bookId: string): void;
  onImport(): void;
}

/** The lorebooks of a story: its own first, then those of other programs with what can be done to them. */
export default function Books({ storyId, books, onBack, onShow, onExport, onImport }: BooksProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [opened, setOpened] = useState<StoryLorebook | null>(null);
  const [doomed, setDoomed] = useState<StoryLorebook | null>(null);
  return (
    <section className={styles.pane} aria-label={t.books}>
      <header className={styles.header}>
        <IconButton icon="back" label={t.back} className={styles.back ?? ""} onClick={onBack} />
        <h2 className={styles.title}>{t.books}</h2>
        <Button icon="upload" size="small" onClick={onImport}>
          {words.import}
        </Button>
      </header>
      <div className={styles.body}>
        <ul className={styles.books}>
          {books.map((book) => (
            <BookRow
              key={book.id}
              storyId={storyId}
              book={book}
              onShow={() => onShow(book.id)}
              onExport={() => onExport(book.id)}
              onSettings={() => setOpened(book)}
              onDelete={() => setDoomed(book)}
            />
          ))}
        </ul>
      </div>
      {opened && <BookDialog storyId={storyId} book={opened} onClose={() => setOpened(null)} />}
      {doomed && <DeleteBook storyId={storyId} book={doomed} onClose={() => setDoomed(null)} />}
    </section>
  );
}

interface BookRowProps {
  storyId: string;
  book: StoryLorebook;
  onShow(): void;
  onExport(): void;
  onSettings(): void;
  onDelete(): void;
}

function BookRow({ storyId, book, onShow, onExport, onSettings, onDelete }: BookRowProps) {
  const t = useTexts(texts);
  const b = useTexts(bookTexts);
  const words = useTexts(glossary);
  const language = useLanguage();
  const navigate = useNavigate();
  const isOwn = book.id === OWN_BOOK;
  const format = originOf(book);
  const about = [
    t.counted(book.entryCount, book.entryCount),
    b[book.activation],
    isOwn ? null : b[book.source],
    format && t.cameAs(formatName(format, language)),
  ].filter(Boolean);
  return (
    <li className={styles.book} data-off={!book.enabled || undefined}>
      <div className={styles.line}>
        <h3 className={styles.name}>{isOwn ? b.ownBook : book.name}</h3>
        {!isOwn && (
          <Switch
            label={t.enabled}
            said={t.bookEnabled(book.name)}
            checked={book.enabled}
            onChange={(enabled) =>
              void act(storyId, t.bookSaved(book.name), () =>
                updateBook({ path: { storyId, bookId: book.id }, body: { enabled } }),
              )
            }
          />
        )}
      </div>
      <p className={styles.about}>{about.join(" · ")}</p>
      <div className={styles.actions}>
        <Button size="small" icon="list" onClick={onShow}>
          {t.showEntries}
        </Button>
        <Button
          size="small"
          icon="flask"
          onClick={() => void navigate(panelOf(storyId, "tryout", { book: book.id }))}
        >
          {t.testBook}
        </Button>
        <Button size="small" icon="download" onClick={onExport}>
          {words.export}
        </Button>
        {!isOwn && (
          <>
            <Button size="small" icon="gear" onClick={onSettings}>
              {words.settings}
            </Button>
            <Button size="small" icon="trash" onClick={onDelete}>
              {words.delete}
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

/** In which format a book came, if it came from another program. */
function originOf({ extensions }: StoryLorebook): string | null {
  const origin = extensions.origin as { format?: unknown } | undefined;
  return typeof origin?.format === "string" ? origin.format : null;
}

interface DeleteBookProps {
  storyId: string;
  book: StoryLorebook;
  onClose(): void;
}

function DeleteBook({ storyId, book, onClose }: DeleteBookProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const isDone = await act(storyId, t.bookDeleted(book.name), () =>
      deleteBook({ path: { storyId, bookId: book.id } }),
    );
    setBusy(false);
    if (isDone) onClose();
  };
  return (
    <Dialog
      title={t.deleteTitle(1, book.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="danger" disabled={isBusy} onClick={() => void remove()}>
            {words.delete}
          </Button>
        </>
      }
    >
      <p>{t.deleteBook(book.entryCount)}</p>
      <p>{t.deleteUndo}</p>
    </Dialog>
  );
}
