import { memo, type ReactNode, useMemo, useState } from "react";
import { Link } from "react-router";
import type { AssembledContext } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { entityPage } from "../../../story/addresses";
import { useStory } from "../../../story/story";
import { figure } from "../../../texts/figures";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Context.module.css";
import { PieceRow } from "./PieceRow";
import { leftOutOf, namedIn, type Piece, type SectionKind, sectionsOf } from "./sections";
import type { Pins } from "./usePins";

const FOLDED: readonly SectionKind[] = ["relations", "recollections"];
const SHOWN = 40;
const CHIPS = 12;
/** How many of the pieces that were left out are named while nobody asks for more. */
export const LEFT_OUT_AT_FIRST = SHOWN;

interface SectionsProps {
  context: AssembledContext;
  pins: Pins;
  /** Whether everything that was left out is wanted, or only the first of it. */
  onNameAll(isWanted: boolean): void;
}

/** The pieces of a context by where they stand, and what was left out. */
export const Sections = memo(function Sections({ context, pins, onNameAll }: SectionsProps) {
  const t = useTexts(texts);
  const sections = useMemo(() => sectionsOf(context), [context]);
  const named = useMemo(() => namedIn(sections), [sections]);
  const story = useStory();
  const out = context.leftOutCount;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div className={styles.sections} tabIndex={0} role="group" aria-label={t.context}>
      {named.length > 0 && (
        <ul className={styles.here} aria-label={t.whoIsHere}>
          {named.slice(0, CHIPS).map(({ trace, entityId }) => (
            <li key={entityId}>
              <Link to={entityPage(story.id, entityId ?? "")}>{trace.label}</Link>
            </li>
          ))}
          {named.length > CHIPS && <li>{t.more(named.length - CHIPS)}</li>}
        </ul>
      )}
      {sections.length === 0 && <p className={styles.none}>{t.nothingYet}</p>}
      {sections.map(({ kind, pieces, tokens }) => (
        <Fold
          key={kind}
          title={t[kind]}
          count={t.countAndTokens(pieces.length, tokens)}
          isOpenFirst={!FOLDED.includes(kind)}
          pieces={() => pieces}
          pins={pins}
        >
          {kind === "relations" && <p className={styles.sentences}>{context.graphRelationships}</p>}
          {kind === "who_knows" && <p className={styles.sentences}>{context.whoKnows.join("\n")}</p>}
        </Fold>
      ))}
      {out > 0 && (
        <Fold
          title={t.leftOut}
          count={figure(out)}
          isOpenFirst={false}
          pieces={() => leftOutOf(context)}
          total={out}
          onAll={onNameAll}
          pins={pins}
        />
      )}
    </div>
  );
});

interface FoldProps {
  title: string;
  count: string;
  isOpenFirst: boolean;
  pieces(): readonly Piece[];
  /** How many pieces there are, where not all of them are here. */
  total?: number;
  onAll?(isWanted: boolean): void;
  pins: Pins;
  children?: ReactNode;
}

/** A section that opens and closes; what nobody looks at is not drawn, for a context may have thousands of pieces. */
function Fold({ title, count, isOpenFirst, pieces, total, onAll, pins, children }: FoldProps) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(isOpenFirst);
  const [limit, setLimit] = useState(SHOWN);
  const all = isOpen ? pieces() : [];
  const hidden = (total ?? all.length) - Math.min(limit, all.length);
  const turn = (isNowOpen: boolean) => {
    setOpen(isNowOpen);
    if (isNowOpen) return;
    setLimit(SHOWN);
    onAll?.(false);
  };
  const showMore = () => {
    setLimit(limit + 5 * SHOWN);
    if (total !== undefined && all.length < total) onAll?.(true);
  };
  return (
    <details className={styles.section} open={isOpen} onToggle={(event) => turn(event.currentTarget.open)}>
      <summary>
        <span>{title}</span>
        <span className={styles.count}>{count}</span>
      </summary>
      {isOpen && (
        <>
          {children}
          <ul>
            {all.slice(0, limit).map((piece) => (
              <PieceRow key={`${piece.trace.kind}:${piece.trace.id}`} piece={piece} pins={pins} />
            ))}
          </ul>
          {hidden > 0 && (
            <Button size="small" look="quiet" onClick={showMore}>
              {t.more(hidden)}
            </Button>
          )}
        </>
      )}
    </details>
  );
}
