import { Choice } from "../../design/Field";
import { useTexts } from "../../texts/language";
import { LAYOUTS } from "./arranging";
import styles from "./Graph.module.css";
import type { Graph } from "./graph";
import { texts } from "./texts";
import type { Arranging } from "./useArranging";

const MOST_PERCENT = 60;

/** Fields for how the picture stands, what sizes say, and which ties of shared scenes are drawn. */
export function ArrangingFields({ graph, arranging }: { graph: Graph; arranging: Arranging }) {
  const t = useTexts(texts);
  const { layout, can, stand, sizing, size, least, tieFrom } = arranging;
  const words = { free: t.layoutFree, place: t.layoutPlace, faction: t.layoutFaction, time: t.layoutTime };
  const percent = Math.round(100 * least);
  return (
    <>
      <Choice
        label={t.layout}
        value={layout}
        options={LAYOUTS.map((value) => ({ value, label: words[value], disabled: !can.has(value) }))}
        onChange={stand}
      />
      {graph.picture.named && (
        <Choice
          label={t.sizing}
          value={sizing}
          options={[
            { value: "links", label: t.sizeLinks },
            { value: "mentions", label: t.sizeMentions },
          ]}
          onChange={size}
        />
      )}
      {(graph.picture.implicit ?? []).length > 0 && (
        <div className={styles.moment}>
          <label htmlFor="graph-ties">{t.ties}</label>
          <output htmlFor="graph-ties">{t.tiesFrom(percent)}</output>
          <input
            id="graph-ties"
            type="range"
            min={0}
            max={MOST_PERCENT}
            step={5}
            value={percent}
            aria-valuetext={t.tiesFrom(percent)}
            onChange={(event) => tieFrom(Number(event.target.value) / 100)}
          />
        </div>
      )}
    </>
  );
}
