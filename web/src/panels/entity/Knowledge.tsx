import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { Moment } from "../../client/rest";
import { knowledgeOfOptions, listKnowingsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Trouble } from "../../design/states";
import { panelOf } from "../../story/addresses";
import { FactName } from "../../story/knowing/FactName";
import { KnowingDialog, type KnowingOf } from "../../story/knowing/KnowingDialog";
import { KnowingRow } from "../../story/knowing/KnowingRow";
import { NameOf } from "../../story/knowing/NameOf";
import { learnedText, texts } from "../../story/knowing/texts";
import { WhoKnows } from "../../story/knowing/WhoKnows";
import { MomentField } from "../../story/MomentField";
import { usePlaces } from "../../story/places";
import { useTexts } from "../../texts/language";
import styles from "./Entity.module.css";
import type { Entity } from "./entity";
import { Section } from "./Section";

/** Things do not know anything; types of the author's own may be people. */
const THINGS = ["location", "item", "event", "concept"];

/** What somebody knows as of a chapter, how and since when. */
export function Knowledge({ storyId, entity }: { storyId: string; entity: Entity }) {
  if (THINGS.includes(entity.type)) return null;
  return <KnownFacts storyId={storyId} entity={entity} />;
}

function KnownFacts({ storyId, entity }: { storyId: string; entity: Entity }) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const [asOf, setAsOf] = useState<Moment | null>(null);
  const [edited, setEdited] = useState<KnowingOf | null>(null);
  const knowerId = entity.id;
  const answer = useQuery(knowledgeOfOptions({ path: { storyId }, query: { knower: knowerId, ...asOf } }));
  const rows = useQuery(listKnowingsOptions({ path: { storyId }, query: { knowerId } })).data?.items;
  const refused = (rows ?? []).filter(({ knows }) => !knows);
  const label = entity.name;
  const knowledge = answer.data;
  return (
    <Section
      title={t.knows}
      note={knowledge?.items.length || undefined}
      tools={
        <Button
          size="small"
          icon="plus"
          onClick={() => setEdited({ fact: null, knowerId, label, knowingId: null })}
        >
          {t.addFact}
        </Button>
      }
    >
      {answer.error && <Trouble error={answer.error} onRetry={() => void answer.refetch()} />}
      <MomentField storyId={storyId} label={t.asOf} moment={asOf} none={t.wholeStory} onChange={setAsOf} />
      {knowledge?.items.length === 0 && <p className={styles.quiet}>{t.knowsNone}</p>}
      <ul>
        {(knowledge?.items ?? []).map((one) => (
          <KnowingRow
            key={`${one.fact.kind}:${one.fact.id}`}
            storyId={storyId}
            label={one.label}
            note={learnedText(one, places, t)}
            knowingId={one.knowingId}
            onEdit={() => setEdited({ fact: one.fact, knowerId, label: one.label, knowingId: one.knowingId })}
            onRefuse={() =>
              setEdited({ fact: one.fact, knowerId, label: one.label, knowingId: null, isRefused: true })
            }
          >
            <FactName storyId={storyId} fact={one.fact} label={one.label} />
          </KnowingRow>
        ))}
        {refused.map(({ id, fact }) => (
          <KnowingRow
            key={id}
            storyId={storyId}
            label={t.doesNotKnow}
            note={t.doesNotKnow}
            knowingId={id}
            onEdit={() => setEdited({ fact, knowerId, label, knowingId: id })}
          >
            <NameOf storyId={storyId} fact={fact} />
          </KnowingRow>
        ))}
      </ul>
      {knowledge && knowledge.unknownCount > 0 && (
        <p className={styles.quiet}>{t.unknown(knowledge.unknownCount)}</p>
      )}
      <p>
        <Link to={panelOf(storyId, "knowledge", { who: knowerId })}>{t.thinks}</Link>
      </p>
      {edited && <KnowingDialog storyId={storyId} of={edited} onClose={() => setEdited(null)} />}
    </Section>
  );
}

/** Who knows of an entity that not everybody knows of. */
export function Knowers({ storyId, entity }: { storyId: string; entity: Entity }) {
  const t = useTexts(texts);
  if (entity.secrecy !== "private") return null;
  return (
    <Section title={t.whoKnows}>
      <WhoKnows storyId={storyId} fact={{ kind: "entity", id: entity.id }} label={entity.name} />
    </Section>
  );
}
