import { Link } from "react-router";
import type { FactRef } from "../../client/rest";
import { entityPage } from "../addresses";

/** A fact by name; what has a page of its own leads there. */
export function FactName({ storyId, fact, label }: { storyId: string; fact: FactRef; label: string }) {
  const isPage = fact.kind === "entity" || fact.kind === "event";
  return isPage ? <Link to={entityPage(storyId, fact.id)}>{label}</Link> : <span>{label}</span>;
}
