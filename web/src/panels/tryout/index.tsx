import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import type { ScanSettings, StoryLorebook } from "../../client/rest";
import { Button } from "../../design/Button";
import { Choice, Select, TextArea, TextField } from "../../design/Field";
import { Empty, Loading, Notice, Trouble } from "../../design/states";
import { booksOptions, OWN_BOOK } from "../../story/lorebooks/books";
import { ScanFields } from "../../story/lorebooks/ScanFields";
import { texts as bookTexts } from "../../story/lorebooks/texts";
import { useStory } from "../../story/story";
import { useSettled } from "../../story/useSettled";
import { useTexts } from "../../texts/language";
import { messagesIn, type Reading, readingOf } from "./chat";
import { Results } from "./Results";
import styles from "./Tryout.module.css";
import { texts } from "./texts";
import { caseOf } from "./trial";
import { useTrial, useWorldInfo } from "./useTrial";

const PAUSE_MS = 350;
const ALL = "all";
const NONE: ScanSettings = {};

export default function TryoutPanel() {
  const { id: storyId } = useStory();
  const t = useTexts(texts);
  const books = useQuery(booksOptions(storyId));
  if (books.error) return <Trouble error={books.error} onRetry={() => void books.refetch()} />;
  if (!books.data) return <Loading rows={8} />;
  const filled = books.data.items.filter(({ entryCount }) => entryCount > 0);
  if (filled.length === 0) {
    return (
      <Empty icon="flask" title={t.noBooks}>
        {t.noBooksNext}
      </Empty>
    );
  }
  return <Tryout storyId={storyId} books={filled} />;
}

/** A text, the books, and the settings on one side; what fires on the other. */
function Tryout({ storyId, books }: { storyId: string; books: readonly StoryLorebook[] }) {
  const t = useTexts(texts);
  const b = useTexts(bookTexts);
  const [params, setParams] = useSearchParams();
  const asked = params.get("book");
  const imported = books.filter(({ id }) => id !== OWN_BOOK);
  const bookId = books.some(({ id }) => id === asked) ? asked : (imported[0] ?? books[0])?.id;
  const choice = asked === ALL ? ALL : (bookId ?? ALL);
  const tried = useMemo(
    () => books.filter(({ id, enabled }) => (choice === ALL ? enabled : id === choice)),
    [books, choice],
  );
  const [text, setText] = useState("");
  const [wished, setReading] = useState<Reading | null>(null);
  const [user, setUser] = useState<string>(t.userName);
  const [char, setChar] = useState("");
  const [changes, setChanges] = useState<ScanSettings>({});
  const reading = wished ?? readingOf(text);
  const chat = useMemo(() => messagesIn(text, reading, user), [text, reading, user]);
  const own = (tried.find(({ activation }) => activation === "sillytavern") ?? tried[0])?.settings ?? NONE;
  const other = chat.find((message) => !message.is_user)?.name ?? "";
  const speakers = [...new Set(chat.map(({ name }) => name))].join(", ");
  const worldInfo = useWorldInfo(storyId, tried);

  const talk = useSettled(
    useMemo(() => ({ chat, user, char: char || other }), [chat, user, char, other]),
    PAUSE_MS,
  );
  const settings = useSettled(
    useMemo(() => ({ ...own, ...changes }), [own, changes]),
    PAUSE_MS,
  );
  const isReady = worldInfo.books !== null && talk.chat.length > 0;
  const caseWith = (wanted: ScanSettings) =>
    isReady && worldInfo.books ? caseOf(worldInfo.books, { ...talk, settings: wanted }) : null;
  const scan = useTrial(storyId, caseWith(settings));
  const usual = useTrial(storyId, caseWith(own));
  const trouble = worldInfo.error ?? scan.error ?? usual.error;
  return (
    <div className={styles.tryout}>
      <section className={styles.form} aria-label={t.text}>
        <p className={styles.why}>{t.about}</p>
        <Select
          label={t.book}
          value={choice}
          options={[
            { value: ALL, label: t.allBooks },
            ...books.map(({ id, name }) => ({ value: id, label: id === OWN_BOOK ? b.ownBook : name })),
          ]}
          onChange={(value) => {
            setParams({ book: value }, { replace: true });
            setChanges({});
          }}
        />
        {tried.some(({ id }) => id === OWN_BOOK) && <Notice>{t.ownNote}</Notice>}
        <TextArea
          label={t.text}
          value={text}
          rows={8}
          placeholder={t.textHint}
          hint={chat.length > 0 ? t.readAs(chat.length, speakers) : undefined}
          onChange={(event) => setText(event.target.value)}
        />
        <Choice
          label={t.reading}
          value={reading}
          options={[
            { value: "paragraph", label: t.paragraph },
            { value: "chat", label: t.chat },
          ]}
          onChange={(value) => setReading(value)}
        />
        <div className={styles.names}>
          <TextField label={t.user} value={user} onChange={(event) => setUser(event.target.value)} />
          <TextField
            label={t.char}
            value={char}
            placeholder={other}
            onChange={(event) => setChar(event.target.value)}
          />
        </div>
        <details className={styles.settings}>
          <summary>{t.settings}</summary>
          <div className={styles.fields}>
            <p className={styles.why}>{t.settingsNote}</p>
            <ScanFields
              settings={{ ...own, ...changes }}
              onChange={(changed) => setChanges({ ...changes, ...changed })}
            />
            <div>
              <Button
                size="small"
                disabled={Object.keys(changes).length === 0}
                onClick={() => setChanges({})}
              >
                {t.reset}
              </Button>
            </div>
          </div>
        </details>
      </section>
      <section className={styles.result} aria-label={t.result}>
        {trouble ? (
          <Trouble
            error={trouble}
            onRetry={() => (worldInfo.error ? worldInfo.retry() : void scan.refetch())}
          />
        ) : isReady && scan.data && usual.data ? (
          <Results scan={scan.data} usual={usual.data} chat={talk.chat} isOfMany={tried.length > 1} />
        ) : isReady ? (
          <Loading rows={5} />
        ) : (
          <Empty icon="flask" title={t.nothing}>
            {t.nothingNext}
          </Empty>
        )}
      </section>
    </div>
  );
}
