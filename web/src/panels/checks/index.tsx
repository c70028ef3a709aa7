import { useDeferredValue, useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { type CheckFinding, runChecks } from "../../client/rest";
import { newestChecksQueryKey } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Choice } from "../../design/Field";
import { Empty, Loading, Trouble } from "../../design/states";
import { tellTrouble } from "../../design/toasts";
import { useShortcuts } from "../../keys/shortcuts";
import { queries } from "../../server/server";
import { scenePage } from "../../story/addresses";
import { useChecks, useMending, useRuleName } from "../../story/findings/findings";
import { usePlaces } from "../../story/places";
import { useStory } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Checks.module.css";
import { ChecksBar } from "./ChecksBar";
import { FindingRow } from "./FindingRow";
import { ALL, groupsOf, wanted } from "./grouping";
import { Rules } from "./Rules";
import { texts } from "./texts";
import { Waivers } from "./Waivers";

const VIEWS = ["open", "waivers", "rules"] as const;
type View = (typeof VIEWS)[number];

/** What contradicts itself in the story, what is intended, and the rules. */
export default function ChecksPanel() {
  const { id: storyId } = useStory();
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const view = VIEWS.find((one) => one === params.get("which")) ?? "open";
  const { newest, running } = useChecks(storyId);
  const mending = useMending(storyId);
  const [isChecking, setChecking] = useState(false);
  const check = async () => {
    setChecking(true);
    try {
      const { data } = await runChecks({ path: { storyId }, body: {} });
      queries.setQueryData(newestChecksQueryKey({ path: { storyId } }), data);
    } catch (error) {
      tellTrouble(error);
    }
    setChecking(false);
  };
  const isBusy = isChecking || newest.isFetching || running?.status === "processing";
  return (
    <div className={styles.checks}>
      <header className={styles.bar}>
        <Choice<View>
          label={t.which}
          quiet
          value={view}
          onChange={(next) => setParams(next === "open" ? {} : { which: next })}
          options={VIEWS.map((value) => ({ value, label: t[value] }))}
        />
        <span className={styles.state} role="status">
          {isBusy ? (
            <>
              <progress
                aria-label={t.checking}
                max={1}
                {...(running && running.progress > 0 ? { value: running.progress } : {})}
              />
              {t.checking}
            </>
          ) : running ? (
            t.queued
          ) : (
            newest.data && t.checked(newest.data.ruleCount, newest.data.sceneCount)
          )}
        </span>
        <Button icon="refresh" disabled={isChecking} onClick={() => void check()}>
          {t.checkNow}
        </Button>
      </header>
      {view === "rules" ? (
        <Rules />
      ) : view === "waivers" ? (
        <Waivers storyId={storyId} mending={mending} />
      ) : newest.data ? (
        <Findings storyId={storyId} findings={newest.data.findings} mending={mending} />
      ) : newest.error ? (
        <Trouble error={newest.error} onRetry={() => void newest.refetch()} />
      ) : (
        <Loading rows={8} />
      )}
    </div>
  );
}

const AT_FIRST = 60;

interface FindingsProps {
  storyId: string;
  findings: readonly CheckFinding[];
  mending: ReturnType<typeof useMending>;
}

/** The findings that are not intended, by scene and rule. */
function Findings({ storyId, findings, mending }: FindingsProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const ruleName = useRuleName();
  const places = usePlaces(storyId);
  const [filter, setFilter] = useState(ALL);
  const [most, setMost] = useState(AT_FIRST);
  const sought = useDeferredValue(filter);
  const open = useMemo(() => findings.filter(({ waived }) => !waived), [findings]);
  const shown = useMemo(() => wanted(open, sought), [open, sought]);
  const groups = useMemo(() => groupsOf(shown.slice(0, most)), [shown, most]);
  useShortcuts([
    {
      keys: "/",
      label: t.search,
      group: words.checks,
      run: () => document.getElementById("checks-search")?.focus(),
    },
  ]);
  if (open.length === 0)
    return (
      <Empty icon="shield" title={t.none}>
        {t.noneNext}
      </Empty>
    );
  return (
    <>
      <ChecksBar
        all={open}
        filter={filter}
        places={places}
        onFilter={(changed) => setFilter({ ...filter, ...changed })}
      />
      <p className={styles.count} role="status">
        {t.counted(shown.length, open.length)}
      </p>
      {shown.length === 0 && (
        <Empty
          icon="filter"
          title={t.noneFits}
          actions={<Button onClick={() => setFilter(ALL)}>{t.clearFilters}</Button>}
        />
      )}
      {groups.map(({ key, place, rules }) => (
        <section key={key} className={styles.group}>
          <h2>
            {place ? (
              <Link to={scenePage(storyId, place.chapter, place.scene)}>{places.momentName(place)}</Link>
            ) : (
              t.amongFacts
            )}
          </h2>
          {rules.map(({ rule, findings: own }) => (
            <section key={rule} className={styles.ofRule}>
              <h3>
                {ruleName(rule)} <span>{own.length}</span>
              </h3>
              {own.map((finding) => (
                <FindingRow key={finding.id} storyId={storyId} finding={finding} mending={mending} />
              ))}
            </section>
          ))}
        </section>
      ))}
      {shown.length > most && (
        <div className={styles.more}>
          <Button onClick={() => setMost(most + AT_FIRST)}>
            {t.more(Math.min(AT_FIRST, shown.length - most))}
          </Button>
        </div>
      )}
    </>
  );
}
