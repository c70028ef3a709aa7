import { queryOptions, useQuery } from "@tanstack/react-query";
import type { KnowledgeQueryByIdsResponse } from "../client/knowledge";
import { IconButton } from "../design/Button";
import { Choice } from "../design/Field";
import { ask } from "../server/channel";
import { storyKey } from "../server/server";
import { inBoth, useTexts } from "../texts/language";
import { EntityPicker } from "./EntityPicker";
import styles from "./People.module.css";

const texts = inBoth({
  everybody: ["Everybody", "所有人"],
  only: ["Only these", "仅以下"],
  add: ["Add somebody", "添加人物"],
  remove: [(name: string) => `Remove ${name}`, (name: string) => `移除 ${name}`],
});

/** The names of entities, by id. */
export const namesOptions = (storyId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: storyKey("namesOf", storyId, ids),
    enabled: ids.length > 0,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const wanted = { projectId: storyId, entityIds: ids };
      const { items } = await ask<KnowledgeQueryByIdsResponse>("knowledge:query:byids", wanted, signal);
      return new Map(items.map(({ id, name }) => [id, name]));
    },
    structuralSharing: false,
  });

interface PeopleProps {
  storyId: string;
  label: string;
  /** Null for everybody. */
  ids: readonly string[] | null;
  onChange(ids: string[] | null): void;
}

/** Everybody, or a list of people. */
export function People({ storyId, label, ids, onChange }: PeopleProps) {
  const t = useTexts(texts);
  const names = useQuery(namesOptions(storyId, ids ?? [])).data;
  return (
    <div className={styles.people}>
      <Choice
        label={label}
        value={ids === null ? "everybody" : "only"}
        options={[
          { value: "everybody", label: t.everybody },
          { value: "only", label: t.only },
        ]}
        onChange={(value) => onChange(value === "everybody" ? null : [])}
      />
      {ids !== null && (
        <>
          <ul className={styles.list}>
            {ids.map((id) => {
              const name = names?.get(id) ?? "…";
              return (
                <li key={id} className={styles.one}>
                  {name}
                  <IconButton
                    icon="close"
                    size="small"
                    label={t.remove(name)}
                    onClick={() => onChange(ids.filter((each) => each !== id))}
                  />
                </li>
              );
            })}
          </ul>
          <EntityPicker
            key={ids.length}
            storyId={storyId}
            label={`${label}: ${t.add}`}
            value={null}
            without={ids}
            onPick={(picked) => picked && onChange([...ids, picked.id])}
          />
        </>
      )}
    </div>
  );
}
