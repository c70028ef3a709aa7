import { lazy, Suspense, useState } from "react";
import type { ActivationRules } from "../../client/rest";
import { Button } from "../../design/Button";
import { Select, Switch } from "../../design/Field";
import { TagInput } from "../../design/TagInput";
import { Attributes } from "../../story/Attributes";
import { PeriodFields } from "../../story/PeriodFields";
import { SecrecySwitch } from "../../story/SecrecySwitch";
import { useStory } from "../../story/story";
import { useTexts } from "../../texts/language";
import type { Fields } from "./draft";
import styles from "./EntryForm.module.css";
import { texts } from "./texts";

// The first route has no room for what is only opened.
const WhoKnowsDialog = lazy(async () => ({
  default: (await import("../../story/knowing/WhoKnows")).WhoKnowsDialog,
}));

const LOGICS = ["and_any", "and_all", "not_any", "not_all"] as const;

interface FinerRulesProps {
  /** Null of an entry that is not saved yet. */
  entryId: string | null;
  fields: Fields;
  onChange(fields: Partial<Fields>): void;
}

/** What most entries do without, folded away. */
export function FinerRules({ entryId, fields, onChange }: FinerRulesProps) {
  const t = useTexts(texts);
  const { id: storyId } = useStory();
  const [isAsked, setAsked] = useState(false);
  const { rules } = fields;
  const change = (changed: Partial<ActivationRules>) => onChange({ rules: { ...rules, ...changed } });
  return (
    <details className={styles.finer}>
      <summary>{t.finer}</summary>
      <div className={styles.inside}>
        {fields.category !== "custom" && (
          <Attributes attributes={fields.attributes} onChange={(attributes) => onChange({ attributes })} />
        )}
        <div className={styles.two}>
          <Switch
            label={t.caseSensitive}
            checked={rules.caseSensitive ?? false}
            onChange={(caseSensitive) => change({ caseSensitive })}
          />
          <Switch
            label={t.insideWords}
            checked={rules.wholeWord === false}
            onChange={(isInside) => change({ wholeWord: isInside ? false : null })}
          />
        </div>
        <TagInput
          label={t.secondary}
          tags={rules.secondaryKeywords ?? []}
          onChange={(secondaryKeywords) => change({ secondaryKeywords })}
        />
        <Select
          label={t.secondaryLogic}
          value={rules.secondaryLogic ?? "and_any"}
          onChange={(secondaryLogic) => change({ secondaryLogic })}
          options={LOGICS.map((value) => ({ value, label: t[value] }))}
        />
        <TagInput
          label={t.exclude}
          tags={rules.excludeKeywords ?? []}
          onChange={(excludeKeywords) => change({ excludeKeywords })}
        />
        <div className={styles.two}>
          <PeriodFields
            storyId={storyId}
            since={fields.since}
            until={fields.until}
            labels={{ since: t.since, until: t.until }}
            onChange={onChange}
          />
        </div>
        <SecrecySwitch secrecy={fields.secrecy} onChange={(secrecy) => onChange({ secrecy })} />
        {entryId !== null && fields.secrecy === "private" && (
          <div>
            <Button size="small" icon="eye" onClick={() => setAsked(true)}>
              {t.whoKnows}
            </Button>
          </div>
        )}
        {isAsked && entryId !== null && (
          <Suspense>
            <WhoKnowsDialog
              storyId={storyId}
              fact={{ kind: "entry", id: entryId }}
              label={fields.displayName || fields.entryKey}
              onClose={() => setAsked(false)}
            />
          </Suspense>
        )}
      </div>
    </details>
  );
}
