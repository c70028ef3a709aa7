import { useEffect, useRef } from "react";
import type { CheckFinding } from "../../../client/rest";
import { IconButton } from "../../../design/Button";
import { Fixes } from "../../../story/findings/Fixes";
import type { Mending } from "../../../story/findings/findings";
import { Quotations } from "../../../story/findings/Quotations";
import { SeverityMark } from "../../../story/findings/SeverityMark";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import styles from "./Popups.module.css";
import { type Spot, spotStyle } from "./spot";

const WIDE = 440;

interface FindingCardProps {
  storyId: string;
  finding: CheckFinding;
  mending: Mending;
  spot: Spot;
  takesFocus: boolean;
  onStay(): void;
  onLeave(): void;
  onClose(): void;
}

/** What is the matter with some words, both quotations, and what can be done, without leaving the text. */
export default function FindingCard(props: FindingCardProps) {
  const { storyId, finding, mending, spot, takesFocus, onStay, onLeave, onClose } = props;
  const words = useTexts(glossary);
  const card = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next finding takes the focus, too
  useEffect(() => {
    if (takesFocus) card.current?.focus();
  }, [takesFocus, finding.id]);
  return (
    <div
      ref={card}
      role="dialog"
      aria-label={finding.message}
      tabIndex={-1}
      className={styles.card}
      data-wide
      style={spotStyle(spot, WIDE)}
      onPointerEnter={onStay}
      onPointerLeave={onLeave}
      onFocus={onStay}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <header className={styles.findingHead}>
        <SeverityMark severity={finding.severity} />
        <p>{finding.message}</p>
        <IconButton icon="close" size="small" label={words.close} onClick={onClose} />
      </header>
      <Quotations storyId={storyId} finding={finding} />
      <Fixes key={finding.id} finding={finding} mending={mending} onDone={onClose} />
    </div>
  );
}
