import { useState } from "react";
import type { EntityName } from "../../client/knowledge";
import { Button, IconButton } from "../../design/Button";
import { TextField } from "../../design/Field";
import { People } from "../../story/People";
import { PeriodFields } from "../../story/PeriodFields";
import { useTexts } from "../../texts/language";
import styles from "./Entity.module.css";
import { texts } from "./texts";

interface NamesProps {
  storyId: string;
  names: readonly EntityName[];
  onChange(names: EntityName[]): void;
}

/** What it is called at which time, and by whom. */
export function Names({ storyId, names, onChange }: NamesProps) {
  const t = useTexts(texts);
  const change = (place: number, changed: Partial<EntityName>) =>
    onChange(names.map((name, at) => (at === place ? { ...name, ...changed } : name)));
  return (
    <fieldset className={styles.names}>
      <legend className={styles.legend}>{t.names}</legend>
      <p className={styles.quiet}>{t.namesWhy}</p>
      {names.map((name, place) => (
        <AName
          // biome-ignore lint/suspicious/noArrayIndexKey: a name is typed, and may be there twice
          key={place}
          storyId={storyId}
          name={name}
          onChange={(changed) => change(place, changed)}
          onRemove={() => onChange(names.filter((_, at) => at !== place))}
        />
      ))}
      <div>
        <Button
          size="small"
          icon="plus"
          onClick={() => onChange([...names, { name: "", since: null, until: null, knownTo: null }])}
        >
          {t.addName}
        </Button>
      </div>
    </fieldset>
  );
}

interface ANameProps {
  storyId: string;
  name: EntityName;
  onChange(changed: Partial<EntityName>): void;
  onRemove(): void;
}

function AName({ storyId, name: { name, since, until, knownTo }, onChange, onRemove }: ANameProps) {
  const t = useTexts(texts);
  // A new one stays open while it is typed.
  const [isOpen, setOpen] = useState(name === "");
  return (
    <details className={styles.aName} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{name || t.newName}</summary>
      <div className={styles.form}>
        <TextField
          label={t.nameThen}
          maxLength={256}
          value={name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <PeriodFields
          storyId={storyId}
          since={since ?? null}
          until={until ?? null}
          labels={{ since: t.nameSince, until: t.nameUntil }}
          onChange={onChange}
        />
        <People
          storyId={storyId}
          label={t.nameKnownTo}
          ids={knownTo ?? null}
          onChange={(ids) => onChange({ knownTo: ids })}
        />
        <div>
          <IconButton icon="trash" size="small" label={t.removeName(name)} onClick={onRemove} />
        </div>
      </div>
    </details>
  );
}
