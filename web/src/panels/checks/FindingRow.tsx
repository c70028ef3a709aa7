import { Link } from "react-router";
import type { CheckFinding } from "../../client/rest";
import { Confidence } from "../../design/Confidence";
import { entityPage } from "../../story/addresses";
import { Fixes } from "../../story/findings/Fixes";
import type { Mending } from "../../story/findings/findings";
import { Quotations } from "../../story/findings/Quotations";
import { SeverityMark } from "../../story/findings/SeverityMark";
import { texts as findingTexts } from "../../story/findings/texts";
import { useTexts } from "../../texts/language";
import styles from "./Checks.module.css";

interface FindingRowProps {
  storyId: string;
  finding: CheckFinding;
  mending: Mending;
}

/** One finding: what is the matter, both quotations, and what can be done about it. */
export function FindingRow({ storyId, finding, mending }: FindingRowProps) {
  const t = useTexts(findingTexts);
  return (
    <article className={styles.finding} aria-label={finding.message}>
      <header className={styles.findingHead}>
        <SeverityMark severity={finding.severity} />
        <p className={styles.message}>{finding.message}</p>
        {finding.entityId && finding.name && (
          <Link to={entityPage(storyId, finding.entityId)}>{finding.name}</Link>
        )}
        <Confidence label={t.sure} value={finding.confidence} />
      </header>
      <Quotations storyId={storyId} finding={finding} />
      <Fixes finding={finding} mending={mending} />
    </article>
  );
}
