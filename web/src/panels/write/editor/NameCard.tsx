import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import type { KnowledgeEntityReadResponse } from "../../../client/knowledge";
import type { KnownName, Mention } from "../../../client/rest";
import { readEntryOptions } from "../../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../../design/Button";
import { NodeMark, nodeTypeOf } from "../../../design/NodeMark";
import { ask } from "../../../server/channel";
import { storyKey } from "../../../server/server";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Popups.module.css";
import { type Spot, spotStyle } from "./spot";

interface NameCardProps {
  storyId: string;
  known: KnownName;
  outOfTime: Mention["outOfTime"];
  spot: Spot;
  takesFocus: boolean;
  isPinned: boolean;
  onPin(): void;
  onStay(): void;
  onLeave(): void;
  onClose(): void;
}

/** Who or what a name means, without leaving the text. */
export function NameCard(props: NameCardProps) {
  const { storyId, known, outOfTime, spot, takesFocus, isPinned, onPin, onStay, onLeave, onClose } = props;
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const told = useTold(storyId, known);
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) card.current?.focus();
  }, [takesFocus]);
  const story = `/stories/${encodeURIComponent(storyId)}`;
  return (
    <div
      ref={card}
      role="dialog"
      aria-label={known.name}
      tabIndex={-1}
      className={styles.card}
      style={spotStyle(spot)}
      onPointerEnter={onStay}
      onPointerLeave={onLeave}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <header className={styles.cardHead}>
        <NodeMark type={known.type} size={16} />
        <strong>{known.name}</strong>
        <span className={styles.aside}>{words[nodeTypeOf(known.type)]}</span>
      </header>
      {outOfTime && (
        <p className={styles.outOfTime}>{outOfTime === "not_yet" ? t.notYetHere : t.noLongerHere}</p>
      )}
      {known.aliases.length > 0 && <p className={styles.aside}>{known.aliases.join(" · ")}</p>}
      {told.text ? (
        <p className={styles.told}>{told.text}</p>
      ) : (
        !told.isPending && <p className={styles.aside}>{t.nothingTold}</p>
      )}
      {told.level && <p className={styles.aside}>{words[told.level]}</p>}
      <footer className={styles.cardFoot}>
        {known.entryId && (
          <Link to={`${story}/lorebook?entry=${encodeURIComponent(known.entryId)}`}>{t.openEntry}</Link>
        )}
        {known.entityId && (
          <Link to={`${story}/entities/${encodeURIComponent(known.entityId)}`}>{t.openEntity}</Link>
        )}
        <Button size="small" look="quiet" aria-pressed={isPinned} onClick={onPin}>
          {isPinned ? t.unpin : t.pin}
        </Button>
      </footer>
    </div>
  );
}

/** What is told about somebody: their entry's content, or the description of the entity. */
function useTold(storyId: string, known: KnownName) {
  const entryId = known.entryId ?? "";
  const entry = useQuery({
    ...readEntryOptions({ path: { storyId, entryId } }),
    enabled: known.entryId !== null,
  });
  const entity = useQuery({
    queryKey: storyKey("entity", storyId, known.entityId),
    queryFn: ({ signal }) =>
      ask<KnowledgeEntityReadResponse>(
        "knowledge:entity:read",
        { projectId: storyId, id: known.entityId },
        signal,
      ),
    enabled: known.entryId === null && known.entityId !== null,
  });
  return {
    text: entry.data?.content ?? entity.data?.description ?? "",
    level: entry.data?.aiContextLevel ?? entity.data?.aiContextLevel,
    isPending: entry.isLoading || entity.isLoading,
  };
}
