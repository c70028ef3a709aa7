import { useState } from "react";
import type { CheckFinding, Fix } from "../../client/rest";
import { Button } from "../../design/Button";
import { TextField } from "../../design/Field";
import { glossary } from "../../texts/glossary";
import { type Said, useTexts } from "../../texts/language";
import styles from "./Findings.module.css";
import type { Mending } from "./findings";
import { texts } from "./texts";

const LONGEST_REASON = 2_000;

interface FixesProps {
  finding: CheckFinding;
  mending: Mending;
  onDone?(): void;
}

/** What can be done about a finding: one click each, and one more for why it is intended. */
export function Fixes({ finding, mending, onDone }: FixesProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [reason, setReason] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (step: () => Promise<boolean>) => {
    setBusy(true);
    const isDone = await step();
    setBusy(false);
    if (isDone) onDone?.();
  };
  const { waiverId } = finding;
  if (finding.waived && waiverId)
    return (
      <div className={styles.fixes}>
        <Button size="small" disabled={isBusy} onClick={() => void run(() => mending.report(waiverId))}>
          {t.report}
        </Button>
      </div>
    );
  if (reason !== null)
    return (
      <form
        className={styles.reason}
        onSubmit={(event) => {
          event.preventDefault();
          void run(() => mending.waive(finding, reason.trim()));
        }}
      >
        <TextField
          label={t.reason}
          value={reason}
          maxLength={LONGEST_REASON}
          autoFocus
          onChange={(event) => setReason(event.target.value)}
        />
        <div className={styles.fixes}>
          <Button type="submit" size="small" look="primary" disabled={isBusy}>
            {t.waiveNow}
          </Button>
          <Button size="small" look="quiet" onClick={() => setReason(null)}>
            {words.cancel}
          </Button>
        </div>
      </form>
    );
  return (
    <div className={styles.fixes}>
      {finding.fixes
        .filter((fix) => labelOf(fix, t) !== null)
        .map((fix) => (
          <Button
            key={`${fix.kind} ${fix.text} ${fix.key} ${fix.value}`}
            size="small"
            disabled={isBusy}
            onClick={() => void run(() => mending.fix(finding, fix))}
          >
            {labelOf(fix, t)}
          </Button>
        ))}
      <Button size="small" look="quiet" disabled={isBusy} onClick={() => setReason("")}>
        {t.waive}
      </Button>
    </div>
  );
}

/** What a fix does, in the language of the page; null where it is not one click. */
function labelOf({ kind, text, key, value }: Fix, t: Said<typeof texts>): string | null {
  if (kind === "change_text") return text == null ? null : t.changeText(text);
  if (kind === "add_state") return t.addState(key ?? "", value ?? "");
  if (kind === "correct_fact") return t.correctFact(key ?? "", value ?? "");
  return null;
}
