import { Switch } from "../../design/Field";
import { NodeMark } from "../../design/NodeMark";
import { useTexts } from "../../texts/language";
import type { Graph } from "./graph";
import styles from "./Tray.module.css";
import { texts } from "./texts";

const LISTED = 200;

interface TrayProps {
  graph: Graph;
  unlinked: readonly number[];
  /** They stand in the picture, too. */
  isSpread: boolean;
  onSpread(isSpread: boolean): void;
  onShow(id: string): void;
}

/** Those who are related to nobody: a list with their number, so that the picture is about relations. */
export function Tray({ graph, unlinked, isSpread, onSpread, onShow }: TrayProps) {
  const t = useTexts(texts);
  const { types, nodes } = graph.picture;
  return (
    <details className={styles.tray}>
      <summary>{t.unlinked(unlinked.length)}</summary>
      <Switch label={t.spread} checked={isSpread} onChange={onSpread} />
      <ul className={styles.list}>
        {unlinked.slice(0, LISTED).map((node) => {
          const id = nodes.ids[node] as string;
          return (
            <li key={id}>
              <button type="button" className={styles.one} onClick={() => onShow(id)}>
                <NodeMark type={types[graph.type[node] as number] ?? "custom"} />
                <span>{nodes.names[node]}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {unlinked.length > LISTED && <p>{t.andMore(unlinked.length - LISTED)}</p>}
    </details>
  );
}
