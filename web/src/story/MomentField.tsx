import type { Moment } from "../client/rest";
import { Select } from "../design/Field";
import { inBoth, useTexts } from "../texts/language";
import styles from "./MomentField.module.css";
import { usePlaces } from "./places";

const texts = inBoth({
  open: ["Open", "不限"],
  wholeChapter: ["Whole chapter", "整章"],
  scene: [(label: string) => `${label}: scene`, (label: string) => `${label}：场景`],
});

/** A moment with all it has: of a whole chapter, the scene is null. */
export interface ChosenMoment {
  readonly chapter: number;
  readonly scene: number | null;
}

interface MomentFieldProps {
  storyId: string;
  label: string;
  moment: Moment | null;
  onChange(moment: ChosenMoment | null): void;
  /** What no moment at all is called here. */
  none?: string;
  quiet?: boolean;
}

/** A place in the telling: a chapter, and a scene of it if one is meant. */
export function MomentField({ storyId, label, moment, onChange, none, quiet = false }: MomentFieldProps) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const numbers = new Set(places.chapters.map(({ chapter }) => chapter));
  if (moment) numbers.add(moment.chapter);
  const chapters = [...numbers].sort((one, other) => one - other);
  const known = places.chapters.find(({ chapter }) => chapter === moment?.chapter);
  const scenes = new Set(known?.scenes.map(({ scene }) => scene) ?? []);
  if (moment?.scene !== null && moment?.scene !== undefined) scenes.add(moment.scene);
  return (
    <div className={styles.moment}>
      <Select
        label={label}
        quiet={quiet}
        value={moment ? String(moment.chapter) : ""}
        onChange={(value) => onChange(value === "" ? null : { chapter: Number(value), scene: null })}
        options={[
          { value: "", label: none ?? t.open },
          ...chapters.map((chapter) => ({ value: String(chapter), label: places.chapterName(chapter) })),
        ]}
      />
      {moment && scenes.size > 0 && (
        <Select
          quiet
          label={t.scene(label)}
          value={String(moment.scene ?? "")}
          onChange={(value) =>
            onChange({ chapter: moment.chapter, scene: value === "" ? null : Number(value) })
          }
          options={[
            { value: "", label: t.wholeChapter },
            ...[...scenes]
              .sort((one, other) => one - other)
              .map((scene) => ({ value: String(scene), label: places.sceneName(moment.chapter, scene) })),
          ]}
        />
      )}
    </div>
  );
}
