import { useEffect, useRef, useState } from "react";
import { type Entity, EntitySchema } from "../../client/knowledge";
import { Button, IconButton } from "../../design/Button";
import { Select, TextArea, TextField } from "../../design/Field";
import { Notice } from "../../design/states";
import type { Problem } from "../../server/problem";
import { problemOf } from "../../server/problem";
import { ConflictDialog } from "../../story/ConflictDialog";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Details.module.css";
import { attributesIn, type Fields, fieldsOf, isDoubled, isUntouched, patchOf, rowsOf } from "./node";
import { texts } from "./texts";
import type { Changes } from "./useChanges";
import { useKinds } from "./words";

interface NodeFormProps {
  entity: Entity;
  types: readonly string[];
  changes: Changes;
  onShow(id: string): void;
}

/** A node's name, type, description and attributes, to be changed where one looks at them. */
export function NodeForm({ entity, types, changes, onShow }: NodeFormProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const kinds = useKinds();
  const [base, setBase] = useState(entity);
  const [fields, setFields] = useState<Fields>(() => fieldsOf(entity));
  const [problem, setProblem] = useState<Problem | null>(null);
  const [theirs, setTheirs] = useState<Entity | null>(null);
  const [isSaving, setSaving] = useState(false);
  const isChanged = patchOf(base, fields) !== null;
  const latest = useRef(isChanged);
  latest.current = isChanged;

  // Without changes of one's own, what others did is simply shown; with them, only what does not meet them.
  useEffect(() => {
    if (latest.current) {
      setBase((known) => (isUntouched(known, entity) ? entity : known));
      return;
    }
    setBase(entity);
    setFields(fieldsOf(entity));
  }, [entity]);

  const change = (part: Partial<Fields>) => setFields((before) => ({ ...before, ...part }));
  const settle = (saved: Entity) => {
    setBase(saved);
    setFields(fieldsOf(saved));
    setProblem(null);
    setTheirs(null);
  };
  const save = async (over: Entity, written: Fields) => {
    const patch = patchOf(over, written);
    if (isSaving) return;
    if (!patch) return settle(over);
    setSaving(true);
    setProblem(null);
    try {
      settle(await changes.save(over, over.version, patch));
    } catch (error) {
      const found = problemOf(error);
      const snapshot = EntitySchema.safeParse(found.details.latestSnapshot);
      if (found.code === "KG_ENTITY_CONFLICT" && snapshot.success) setTheirs(snapshot.data);
      else setProblem(found);
    }
    setSaving(false);
  };
  const existing = problem?.code === "KG_ENTITY_DUPLICATE" ? problem.details.existingId : undefined;
  const isBlank = fields.name.trim() === "";
  const doubled = isDoubled(fields.rows);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save(base, fields);
      }}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void save(base, fields);
      }}
    >
      {problem && (
        <Notice
          look="danger"
          actions={
            typeof existing === "string" && (
              <Button size="small" onClick={() => onShow(existing)}>
                {t.openExisting}
              </Button>
            )
          }
        >
          {existing !== undefined
            ? t.existing(fields.name)
            : `${problem.message} ${problem.suggestion ?? ""}`}
        </Notice>
      )}
      <TextField
        id="graph-node-name"
        label={t.name}
        value={fields.name}
        error={isBlank ? t.nameMissing : null}
        onChange={(event) => change({ name: event.target.value })}
      />
      <Select
        label={t.kind}
        value={fields.type}
        options={[...new Set([...types, fields.type])].map((type) => ({ value: type, label: kinds(type) }))}
        onChange={(type) => change({ type })}
      />
      <TextArea
        label={t.description}
        rows={4}
        value={fields.description}
        onChange={(event) => change({ description: event.target.value })}
      />
      <fieldset className={styles.attributes}>
        <legend>{t.attributes}</legend>
        {fields.rows.map((row, place) => {
          const put = (part: Partial<typeof row>) =>
            change({ rows: fields.rows.map((each, at) => (at === place ? { ...each, ...part } : each)) });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names of their own while they are written
            <div key={place} className={styles.attribute}>
              <TextField
                quiet
                label={t.attribute}
                placeholder={t.attribute}
                value={row.key}
                onChange={(event) => put({ key: event.target.value })}
              />
              <TextField
                quiet
                label={row.key ? `${t.value}: ${row.key}` : t.value}
                placeholder={t.value}
                value={row.value}
                onChange={(event) => put({ value: event.target.value })}
              />
              <IconButton
                icon="close"
                size="small"
                label={t.removeAttribute(row.key)}
                onClick={() => change({ rows: fields.rows.filter((_, at) => at !== place) })}
              />
            </div>
          );
        })}
        {doubled && <p className={styles.error}>{t.doubledAttribute}</p>}
        <Button
          look="quiet"
          size="small"
          icon="plus"
          onClick={() => change({ rows: [...fields.rows, { key: "", value: "" }] })}
        >
          {t.addAttribute}
        </Button>
      </fieldset>
      {isChanged && (
        <div className={styles.actions}>
          <Button type="submit" look="primary" size="small" disabled={isBlank || doubled || isSaving}>
            {words.save}
          </Button>
          <Button size="small" onClick={() => settle(entity)}>
            {words.cancel}
          </Button>
        </div>
      )}
      {theirs && (
        <ConflictDialog
          name={theirs.name}
          labels={{ name: t.name, type: t.kind, description: t.description, attributes: t.attributes }}
          prose="description"
          joinable={["attributes"]}
          shown={{ type: kinds }}
          base={told(base, fieldsOf(base))}
          mine={told(base, fields)}
          theirs={told(theirs, fieldsOf(theirs))}
          onSave={({ attributes, ...merged }) => {
            setTheirs(null);
            setBase(theirs);
            const next = { ...merged, rows: rowsOf(attributes) };
            setFields(next);
            void save(theirs, next);
          }}
          onTakeTheirs={() => settle(theirs)}
          onClose={() => setTheirs(null)}
        />
      )}
    </form>
  );
}

const told = (entity: Entity, { rows, ...fields }: Fields) => ({
  ...fields,
  attributes: attributesIn(rows, entity),
});
