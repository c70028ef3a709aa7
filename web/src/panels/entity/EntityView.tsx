import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { listStaleOptions, readEntryOfKeyOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button, IconButton } from "../../design/Button";
import { NodeMark } from "../../design/NodeMark";
import { Notice } from "../../design/states";
import { useShortcuts } from "../../keys/shortcuts";
import { entityPage, panelOf } from "../../story/addresses";
import { ConflictDialog } from "../../story/ConflictDialog";
import { usePlaces } from "../../story/places";
import { useVisited } from "../../story/visited";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { Appearances } from "./Appearances";
import styles from "./Entity.module.css";
import { EntityForm } from "./EntityForm";
import { Cast, Events } from "./Events";
import { type Entity, fieldsOf } from "./entity";
import { History } from "./History";
import { Knowers, Knowledge } from "./Knowledge";
import { DeleteDialog, MergeDialog } from "./Partings";
import { Profile } from "./Profile";
import { Relations } from "./Relations";
import { States } from "./States";
import { texts } from "./texts";
import { useEntityWriting } from "./useEntityWriting";

const DUPLICATE = "KG_ENTITY_DUPLICATE";

/** Everything about one entity: what it is, and what the story does with it. */
export function EntityView({ storyId, entity }: { storyId: string; entity: Entity }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const navigate = useNavigate();
  const places = usePlaces(storyId);
  const draft = useEntityWriting(storyId, entity);
  const [open, setOpen] = useState<"delete" | "merge" | null>(null);
  const [isEditing, setEditing] = useState(false);
  const { problem } = draft;
  useVisited(storyId, entityPage(storyId, entity.id), entity.name);
  useShortcuts([
    { keys: "e", label: t.edit, group: words.entity, run: () => setEditing(true) },
    {
      keys: "mod+s",
      label: words.save,
      group: words.entity,
      inFields: true,
      run: () => draft.isChanged && !draft.isBusy && draft.save(),
    },
  ]);
  return (
    <div className={styles.page}>
      <Heading storyId={storyId} entity={entity} onOpen={setOpen} />
      <div className={styles.columns}>
        <div className={styles.main}>
          {draft.isRestored && <Notice>{words.restored}</Notice>}
          {draft.isBehind && (
            <Notice
              look="warn"
              actions={
                <Button size="small" onClick={draft.compare}>
                  {t.compare}
                </Button>
              }
            >
              {t.newer}
            </Notice>
          )}
          {problem && (
            <Notice look="danger">
              <strong>{words.notSaved}</strong> {problem.message} {problem.suggestion}
            </Notice>
          )}
          <Profile
            storyId={storyId}
            entity={entity}
            tools={
              !draft.isChanged && (
                <Button
                  size="small"
                  icon="pen"
                  aria-expanded={isEditing}
                  onClick={() => setEditing(!isEditing)}
                >
                  {isEditing ? t.editDone : t.edit}
                </Button>
              )
            }
          />
          {(isEditing || draft.isChanged) && (
            <EntityForm
              storyId={storyId}
              fields={draft.fields}
              nameProblem={problem?.code === DUPLICATE ? problem.message : null}
              onChange={draft.change}
            />
          )}
        </div>
        <div className={styles.aside}>
          <Appearances storyId={storyId} entityId={entity.id} />
          {entity.type === "event" && <Cast storyId={storyId} eventId={entity.id} />}
          <Relations storyId={storyId} entity={entity} />
          <States storyId={storyId} entityId={entity.id} />
          <Knowledge storyId={storyId} entity={entity} />
          <Knowers storyId={storyId} entity={entity} />
          {entity.type !== "event" && <Events storyId={storyId} entity={entity} />}
          <History storyId={storyId} entityId={entity.id} />
        </div>
      </div>
      {draft.isChanged && (
        <footer className={styles.footer}>
          <span className={styles.note}>{t.unsaved}</span>
          <Button onClick={draft.discard}>{words.discard}</Button>
          <Button
            look="primary"
            disabled={draft.isBusy || draft.fields.name.trim() === ""}
            onClick={draft.save}
          >
            {words.save}
          </Button>
        </footer>
      )}
      {draft.theirs && (
        <ConflictDialog
          name={entity.name}
          labels={{
            name: t.name,
            type: t.type,
            description: t.description,
            aliases: t.aliases,
            names: t.names,
            attributes: t.attributes,
            aiContextLevel: t.level,
            significance: t.significance,
            since: t.since,
            until: t.until,
            secrecy: words.secrecy,
          }}
          prose="description"
          joinable={["aliases", "attributes"]}
          shown={{
            aiContextLevel: (level) => words[level],
            names: (names) => names.map(({ name }) => name).join(", "),
            since: (since) => (since ? places.momentName(since) : t.always),
            until: (until) => (until ? places.momentName(until) : t.forever),
            secrecy: (secrecy) => words[secrecy],
          }}
          base={draft.base}
          mine={draft.fields}
          theirs={fieldsOf(draft.theirs)}
          onSave={(merged) => draft.theirs && draft.saveOver(draft.theirs, merged)}
          onTakeTheirs={() => draft.theirs && draft.takeTheirs(draft.theirs)}
          onClose={draft.closeConflict}
        />
      )}
      {open === "delete" && (
        <DeleteDialog
          storyId={storyId}
          entity={entity}
          onDeleted={() => void navigate(panelOf(storyId, "lorebook"))}
          onClose={() => setOpen(null)}
        />
      )}
      {open === "merge" && (
        <MergeDialog
          storyId={storyId}
          entity={entity}
          onMerged={(id) => {
            setOpen(null);
            void navigate(entityPage(storyId, id));
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}

interface HeadingProps {
  storyId: string;
  entity: Entity;
  onOpen(dialog: "delete" | "merge"): void;
}

function Heading({ storyId, entity, onOpen }: HeadingProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const entry = useQuery(readEntryOfKeyOptions({ path: { storyId, entryKey: entity.name } })).data;
  const stale = useQuery(listStaleOptions({ path: { storyId }, query: { entityId: entity.id } })).data;
  return (
    <header className={styles.header}>
      <NodeMark type={entity.type} size={26} />
      <div className={styles.titles}>
        <h2 className={styles.title}>{entity.name}</h2>
        {entity.aliases.length > 0 && <p className={styles.note}>{entity.aliases.join(" · ")}</p>}
      </div>
      {stale !== undefined && stale.totalCount > 0 && (
        <Link className={styles.stale} to={panelOf(storyId, "review", { which: "stale", entity: entity.id })}>
          {t.stale(stale.totalCount)}
        </Link>
      )}
      <nav className={styles.links} aria-label={entity.name}>
        {entry && <Link to={panelOf(storyId, "lorebook", { entry: entry.id })}>{t.openLorebook}</Link>}
        <Link to={panelOf(storyId, "graph", { focus: entity.id, node: entity.id })}>{t.openGraph}</Link>
      </nav>
      {entity.type !== "event" && (
        <Button size="small" onClick={() => onOpen("merge")}>
          {t.merge}
        </Button>
      )}
      <IconButton icon="trash" label={words.delete} onClick={() => onOpen("delete")} />
    </header>
  );
}
