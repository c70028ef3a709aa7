import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import type { Moment } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { NodeMark } from "../../design/NodeMark";
import { Trouble } from "../../design/states";
import { ask } from "../../server/channel";
import { queries } from "../../server/server";
import { act } from "../../story/act";
import { entityPage } from "../../story/addresses";
import { WhoKnowsDialog } from "../../story/knowing/WhoKnows";
import { MomentField } from "../../story/MomentField";
import { usePlaces } from "../../story/places";
import { useRelationTypes } from "../../story/relationTypes";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Entity.module.css";
import { type Entity, neighboursOptions, type Relation, relationsOptions } from "./entity";
import { periodText } from "./periods";
import { RelationDialog } from "./RelationDialog";
import { groupsOf, otherEnd } from "./relations";
import { Section } from "./Section";
import { texts } from "./texts";

/** Whom an entity is related to, by type, for the whole story or as of a moment. */
export function Relations({ storyId, entity }: { storyId: string; entity: Entity }) {
  const t = useTexts(texts);
  const [asOf, setAsOf] = useState<Moment | null>(null);
  const [isAdding, setAdding] = useState(false);
  const options = relationsOptions(storyId, entity.id);
  const relations = useQuery(options);
  const types = useRelationTypes(storyId);
  const label = (key: string) => types.find((type) => type.key === key)?.label ?? key.replaceAll("_", " ");
  const ids = useMemo(
    () => [...new Set((relations.data ?? []).map((relation) => otherEnd(relation, entity.id)))].sort(),
    [relations.data, entity.id],
  );
  const known = useQuery(neighboursOptions(storyId, ids)).data;
  const others = useMemo(() => new Map((known ?? []).map((one) => [one.id, one])), [known]);
  const groups = groupsOf(relations.data ?? [], entity.id, asOf);
  const remove = async (relation: Relation) => {
    const before = queries.getQueryData(options.queryKey);
    queries.setQueryData(options.queryKey, (all) => all?.filter(({ id }) => id !== relation.id));
    const isDone = await act(storyId, t.relationRemoved, () =>
      ask("knowledge:relation:delete", { projectId: storyId, id: relation.id }),
    );
    if (!isDone) queries.setQueryData(options.queryKey, before);
  };
  return (
    <Section
      title={t.relations}
      note={relations.data?.length}
      tools={
        <Button size="small" icon="plus" onClick={() => setAdding(true)}>
          {t.addRelation}
        </Button>
      }
    >
      {relations.error && <Trouble error={relations.error} onRetry={() => void relations.refetch()} />}
      {relations.data && relations.data.length > 0 && (
        <MomentField storyId={storyId} label={t.asOf} moment={asOf} none={t.wholeStory} onChange={setAsOf} />
      )}
      {relations.data?.length === 0 && <p className={styles.quiet}>{t.relationsNone}</p>}
      {relations.data && relations.data.length > 0 && groups.length === 0 && (
        <p className={styles.quiet}>{t.relationsNoneThen}</p>
      )}
      {groups.map(({ type, isOutward, relations: inside }) => (
        <div key={`${type}${isOutward}`} className={styles.group}>
          <h4 className={styles.groupName}>
            {label(type)}
            {!isOutward && <span className={styles.note}> · {t.fromThem}</span>}
          </h4>
          <ul>
            {inside.map((relation) => (
              <RelationRow
                key={relation.id}
                storyId={storyId}
                relation={relation}
                word={label(type)}
                other={others.get(otherEnd(relation, entity.id))}
                onRemove={() => void remove(relation)}
              />
            ))}
          </ul>
        </div>
      ))}
      {isAdding && <RelationDialog storyId={storyId} entity={entity} onClose={() => setAdding(false)} />}
    </Section>
  );
}

/** A part in an event is as private as the event. */
const PARTS: readonly string[] = ["participates_in", "occurs_at"];

interface RelationRowProps {
  storyId: string;
  relation: Relation;
  word: string;
  other: Entity | undefined;
  onRemove(): void;
}

function RelationRow({ storyId, relation, word, other, onRemove }: RelationRowProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const places = usePlaces(storyId);
  const [isAsked, setAsked] = useState(false);
  const period = periodText(relation, places, t);
  const isPrivate = relation.secrecy === "private";
  const label = `${word} ${other?.name ?? ""}`;
  const turn = () =>
    act(storyId, t.secrecySaved, () =>
      ask("knowledge:relation:update", {
        projectId: storyId,
        id: relation.id,
        patch: { secrecy: isPrivate ? "public" : "private" },
      }),
    );
  return (
    <li className={styles.relation}>
      <NodeMark type={other?.type ?? "custom"} />
      <div className={styles.relationText}>
        {other ? <Link to={entityPage(storyId, other.id)}>{other.name}</Link> : "…"}
        {period && <span className={styles.period}>{period}</span>}
        {isPrivate && <span className={styles.period}>{words.private}</span>}
        {relation.description && <p className={styles.quiet}>{relation.description}</p>}
      </div>
      {!PARTS.includes(relation.relationType) && (
        <>
          <IconButton
            icon="lock"
            size="small"
            aria-pressed={isPrivate}
            label={isPrivate ? t.makePublic(label) : t.makePrivate(label)}
            onClick={() => void turn()}
          />
          <IconButton icon="eye" size="small" label={t.whoKnowsOf(label)} onClick={() => setAsked(true)} />
        </>
      )}
      {isAsked && (
        <WhoKnowsDialog
          storyId={storyId}
          fact={{ kind: "relation", id: relation.id }}
          label={label}
          onClose={() => setAsked(false)}
        />
      )}
      <IconButton
        icon="close"
        size="small"
        label={t.removeRelation(word, other?.name ?? "")}
        onClick={onRemove}
      />
    </li>
  );
}
