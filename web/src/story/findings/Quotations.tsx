import type { ReactNode } from "react";
import { Link } from "react-router";
import type { CheckFinding } from "../../client/rest";
import { Marked } from "../../design/Marked";
import { useTexts } from "../../texts/language";
import { usePlaces } from "../places";
import styles from "./Findings.module.css";
import { hereAddress, thereAddress } from "./findings";
import { texts } from "./texts";

/** What is written and what is established, side by side; each leads to its place. */
export function Quotations({ storyId, finding }: { storyId: string; finding: CheckFinding }) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const { here, there, name } = finding;
  const placeOf = ({ chapter, scene }: { chapter?: number | null; scene?: number | null }) =>
    chapter == null ? null : places.momentName({ chapter, scene: scene ?? null });
  const marks =
    here.start == null || here.markStart == null || here.markEnd == null
      ? []
      : [{ start: here.markStart - here.start, end: here.markEnd - here.start }];
  return (
    <div className={styles.pair}>
      {here.quotation !== "" && (
        <Quotation label={t.here} place={placeOf(here)} address={hereAddress(storyId, finding)}>
          <Marked text={here.quotation} spans={marks} />
        </Quotation>
      )}
      {there && (
        <Quotation label={t.there} place={placeOf(there) ?? name} address={thereAddress(storyId, finding)}>
          {there.quotation}
        </Quotation>
      )}
    </div>
  );
}

interface QuotationProps {
  label: string;
  place: string | null;
  address: string | null;
  children: ReactNode;
}

function Quotation({ label, place, address, children }: QuotationProps) {
  return (
    <figure className={styles.quotation}>
      <figcaption>
        {label}
        {place && address && (
          <>
            {" · "}
            <Link to={address}>{place}</Link>
          </>
        )}
      </figcaption>
      <blockquote>{children}</blockquote>
    </figure>
  );
}
