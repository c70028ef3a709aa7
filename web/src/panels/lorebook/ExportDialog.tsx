import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ExportLossesResponse, exportEntries, type StoryLorebook } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Select } from "../../design/Field";
import { Notice } from "../../design/states";
import { tellTrouble } from "../../design/toasts";
import { problemOf } from "../../server/problem";
import { storyKey } from "../../server/server";
import { OWN_BOOK } from "../../story/lorebooks/books";
import { FORMATS, type Format, fileFormatName } from "../../story/lorebooks/formats";
import { texts as bookTexts } from "../../story/lorebooks/texts";
import { glossary } from "../../texts/glossary";
import { useLanguage, useTexts } from "../../texts/language";
import styles from "./ExportDialog.module.css";
import { saveBook } from "./files";
import { lossesByField } from "./losses";
import { texts } from "./texts";

const BECOMES = {
  left_out: "becomesLeftOut",
  changed: "becomesChanged",
  disabled: "becomesDisabled",
} as const;

interface ExportDialogProps {
  storyId: string;
  books: readonly StoryLorebook[];
  /** The book that is chosen at first. */
  bookId: string;
  onClose(): void;
}

/** Saves a book in a format, and says before what that format cannot say. */
export default function ExportDialog({ storyId, books, bookId: first, onClose }: ExportDialogProps) {
  const t = useTexts(texts);
  const b = useTexts(bookTexts);
  const words = useTexts(glossary);
  const language = useLanguage();
  const [bookId, setBookId] = useState(first);
  const [format, setFormat] = useState<Format>(first === OWN_BOOK ? "fabula" : "sillytavern");
  const [isBusy, setBusy] = useState(false);
  const losses = useLosses(storyId, bookId, format);
  const book = books.find(({ id }) => id === bookId);
  const save = async () => {
    setBusy(true);
    try {
      await saveBook(storyId, bookId, format, book?.name ?? "lorebook");
      onClose();
    } catch (error) {
      tellTrouble(error);
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={words.export}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="primary"
            icon="download"
            disabled={isBusy || (format !== "fabula" && !losses.data)}
            onClick={() => void save()}
          >
            {t.download}
          </Button>
        </>
      }
    >
      {books.length > 1 && (
        <Select
          label={t.book}
          value={bookId}
          options={books.map(({ id, name }) => ({ value: id, label: id === OWN_BOOK ? b.ownBook : name }))}
          onChange={setBookId}
        />
      )}
      <Select
        label={t.format}
        value={format}
        options={FORMATS.map((value) => ({ value, label: fileFormatName(value, language) }))}
        onChange={(value) => setFormat(value)}
      />
      <div aria-live="polite">
        {format === "fabula" ? (
          <p>{t.fabulaFormat}</p>
        ) : losses.error ? (
          <Notice look="danger">
            {problemOf(losses.error).message} {problemOf(losses.error).suggestion}
          </Notice>
        ) : losses.data ? (
          <Losses losses={losses.data} />
        ) : (
          <p>{t.lookingForLosses}</p>
        )}
      </div>
    </Dialog>
  );
}

function Losses({ losses }: { losses: ExportLossesResponse }) {
  const t = useTexts(texts);
  const rows = lossesByField(losses);
  if (rows.length === 0) return <Notice>{t.nothingLost}</Notice>;
  return (
    <Notice look="warn">
      <p>{t.losses}</p>
      <ul className={styles.losses}>
        {rows.map(({ field, becomes, count, entries }) => (
          <li key={`${field} ${becomes}`}>
            <code>{field}</code> {t[BECOMES[becomes]]} · {entries.length > 0 ? t.lostIn(count) : t.lostOfBook}
            {entries.length > 0 && (
              <span className={styles.names}>
                {entries.join(", ")}
                {count > entries.length && " …"}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** What a book would lose in a format; Fabula's own loses nothing. */
function useLosses(storyId: string, bookId: string, format: Format) {
  return useQuery({
    queryKey: storyKey("exportLosses", storyId, bookId, format),
    queryFn: async ({ signal }) => {
      const query = { bookId, format, report: true };
      const { data } = await exportEntries({ path: { storyId }, query, signal });
      return data as ExportLossesResponse;
    },
    enabled: format !== "fabula",
  });
}
