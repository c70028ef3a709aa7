import { readStory, updateStory } from "../../client/rest";
import { Select, Switch } from "../../design/Field";
import { act } from "../../story/act";
import { DEFAULTS, RULES, SEVERITIES, type Severity, useRuleName } from "../../story/findings/findings";
import { texts as findingTexts } from "../../story/findings/texts";
import { useStory } from "../../story/story";
import { useTexts } from "../../texts/language";
import styles from "./Checks.module.css";
import { texts } from "./texts";

type Chosen = Readonly<Record<string, unknown>>;

const chosenIn = (settings: Chosen): Chosen =>
  typeof settings.checks === "object" && settings.checks !== null ? (settings.checks as Chosen) : {};

/** How severe each rule is in this story, and whether scenes are checked after saving. */
export function Rules() {
  const story = useStory();
  const t = useTexts(texts);
  const words = useTexts(findingTexts);
  const ruleName = useRuleName();
  const chosen = chosenIn(story.settings);
  const change = (changed: (settings: Chosen) => Chosen) =>
    act(story.id, t.saved, async () => {
      // Settings are replaced as a whole: somebody else may have changed another in the meantime.
      const { data } = await readStory({ path: { storyId: story.id } });
      const settings = { ...data.settings, ...changed(data.settings) };
      return await updateStory({ path: { storyId: story.id }, body: { settings } });
    });
  const choose = (rule: keyof typeof DEFAULTS, severity: Severity) =>
    change((settings) => {
      const { [rule]: _, ...others } = chosenIn(settings);
      return { checks: severity === DEFAULTS[rule] ? others : { ...others, [rule]: severity } };
    });
  return (
    <div className={styles.rules}>
      <p>{t.rulesWhy}</p>
      <Switch
        label={t.autoCheck}
        checked={story.settings.autoCheck !== false}
        onChange={(autoCheck) => void change(() => ({ autoCheck }))}
      />
      <ul className={styles.list}>
        {RULES.map((rule) => (
          <li key={rule} className={styles.rule}>
            <Select<Severity>
              label={ruleName(rule)}
              hint={rule}
              value={isSeverity(chosen[rule]) ? chosen[rule] : DEFAULTS[rule]}
              onChange={(severity) => void choose(rule, severity)}
              options={([...SEVERITIES, "off"] as const).map((value) => ({
                value,
                label: value === DEFAULTS[rule] ? t.byDefault(words[value]) : words[value],
              }))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

const isSeverity = (value: unknown): value is Severity =>
  value === "off" || SEVERITIES.some((severity) => severity === value);
