import type { CheckFinding } from "../../client/rest";
import { Select, TextField } from "../../design/Field";
import { SEVERITIES, useRuleName } from "../../story/findings/findings";
import { texts as findingTexts } from "../../story/findings/texts";
import type { Places } from "../../story/places";
import { useLanguage, useTexts } from "../../texts/language";
import styles from "./Checks.module.css";
import type { Filter } from "./grouping";
import { texts } from "./texts";

const LEASTS = [0, 0.5, 0.7, 0.9] as const;

interface ChecksBarProps {
  all: readonly CheckFinding[];
  filter: Filter;
  places: Places;
  onFilter(changed: Partial<Filter>): void;
}

/** Which findings are looked at. */
export function ChecksBar({ all, filter, places, onFilter }: ChecksBarProps) {
  const t = useTexts(texts);
  const words = useTexts(findingTexts);
  const ruleName = useRuleName();
  const percent = new Intl.NumberFormat(useLanguage(), { style: "percent" });
  const rules = [...new Set(all.map(({ rule }) => rule))];
  const chapters = [...new Set(all.map(({ here }) => here.chapter))].filter((one) => one != null);
  return (
    <div className={styles.filters}>
      <TextField
        id="checks-search"
        quiet
        label={t.search}
        type="search"
        placeholder={t.searchHint}
        value={filter.q}
        onChange={(event) => onFilter({ q: event.target.value })}
      />
      <Select
        quiet
        label={t.severity}
        value={filter.severity}
        onChange={(severity) => onFilter({ severity })}
        options={[
          { value: "", label: t.anySeverity },
          ...SEVERITIES.map((value) => ({ value, label: words[value] })),
        ]}
      />
      <Select
        quiet
        label={t.rule}
        value={filter.rule}
        onChange={(rule) => onFilter({ rule })}
        options={[
          { value: "", label: t.anyRule },
          ...rules.map((value) => ({ value, label: ruleName(value) })),
        ]}
      />
      <Select
        quiet
        label={t.chapter}
        value={filter.chapter}
        onChange={(chapter) => onFilter({ chapter })}
        options={[
          { value: "", label: t.anyChapter },
          ...chapters.map((chapter) => ({ value: String(chapter), label: places.chapterName(chapter) })),
        ]}
      />
      <Select
        quiet
        label={t.least}
        value={String(filter.least)}
        onChange={(least) => onFilter({ least: Number(least) })}
        options={LEASTS.map((least) => ({
          value: String(least),
          label: least === 0 ? t.anyConfidence : t.atLeast(percent.format(least)),
        }))}
      />
    </div>
  );
}
