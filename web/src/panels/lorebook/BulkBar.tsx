import type { LorebookEntryPatch } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { Select } from "../../design/Field";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { CATEGORIES, LEVELS, POSITIONS } from "./choices";
import styles from "./Lorebook.module.css";
import { texts } from "./texts";

interface BulkBarProps {
  count: number;
  onChange(patch: LorebookEntryPatch): void;
  onDelete(): void;
  onClear(): void;
  /** Null where none of them comes from another program. */
  onEntities: (() => void) | null;
}

const PRIORITIES = [0, 25, 50, 75, 100];

/** What can be done to many entries in one step. */
export function BulkBar({ count, onChange, onDelete, onClear, onEntities }: BulkBarProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const changes: { value: string; label: string; patch: LorebookEntryPatch | null }[] = [
    { value: "", label: t.change, patch: null },
    ...LEVELS.map((level) => ({
      value: `level:${level}`,
      label: `${t.levelShort}: ${words[level]}`,
      patch: { aiContextLevel: level },
    })),
    ...CATEGORIES.map((category) => ({
      value: `category:${category}`,
      label: `${t.category}: ${words[category]}`,
      patch: { category },
    })),
    ...POSITIONS.map((position) => ({
      value: `position:${position}`,
      label: `${t.position}: ${words[position]}`,
      patch: { insertionPosition: position },
    })),
    ...PRIORITIES.map((priority) => ({
      value: `priority:${priority}`,
      label: `${t.priority}: ${priority}`,
      patch: { priority },
    })),
  ];
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t.selected(count)}>
      <strong>{t.selected(count)}</strong>
      <Button size="small" onClick={() => onChange({ enabled: true })}>
        {t.switchOn}
      </Button>
      <Button size="small" onClick={() => onChange({ enabled: false })}>
        {t.switchOff}
      </Button>
      <Select
        quiet
        label={t.changeWhat}
        value=""
        options={changes}
        onChange={(value) => {
          const patch = changes.find((change) => change.value === value)?.patch;
          if (patch) onChange(patch);
        }}
      />
      {onEntities && (
        <Button size="small" icon="graph" onClick={onEntities}>
          {t.makeEntities}
        </Button>
      )}
      <Button size="small" icon="trash" onClick={onDelete}>
        {words.delete}
      </Button>
      <IconButton icon="close" size="small" label={t.deselect} onClick={onClear} />
    </div>
  );
}
