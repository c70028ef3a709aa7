// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons in the cells have the focus, not the cells
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { IconButton } from "../../design/Button";
import { NodeMark } from "../../design/NodeMark";
import { useTexts } from "../../texts/language";
import type { Graph, Known } from "./graph";
import styles from "./Table.module.css";
import { texts } from "./texts";
import { useKinds } from "./words";

interface TableTwinProps {
  graph: Graph;
  shown: Uint8Array;
  hits: Uint8Array | null;
  known: Known | null;
  node: number | null;
  onChoose(node: number): void;
  onMenu(node: number, x: number, y: number): void;
}

const ROW = 40;
type Column = "name" | "kind" | "relations";

/** The same as the picture, in words: for those who do not see it, and for those who would rather read. */
export function TableTwin({ graph, shown, hits, known, node, onChoose, onMenu }: TableTwinProps) {
  const t = useTexts(texts);
  const kinds = useKinds();
  const box = useRef<HTMLDivElement>(null);
  const [order, setOrder] = useState<{ by: Column; isDown: boolean }>({ by: "relations", isDown: true });
  const { names } = graph.picture.nodes;
  const rows = useMemo(() => {
    const found = [...graph.ranked].filter((each) => shown[each] && (!hits || hits[each]));
    const kind = (each: number) => kinds(graph.picture.types[graph.type[each] as number] as string);
    if (order.by === "name") found.sort((a, b) => (names[a] as string).localeCompare(names[b] as string));
    else if (order.by === "kind") found.sort((a, b) => kind(a).localeCompare(kind(b)));
    else return order.isDown ? found : found.reverse();
    return order.isDown ? found.reverse() : found;
  }, [graph, shown, hits, order, kinds, names]);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const at = node === null ? -1 : rows.indexOf(node);
  const scroll = useRef(list.scrollToIndex);
  scroll.current = list.scrollToIndex;
  useEffect(() => {
    if (at >= 0) scroll.current(at);
  }, [at]);
  const heading = (by: Column, label: string) => (
    <span
      role="columnheader"
      aria-sort={order.by === by ? (order.isDown ? "descending" : "ascending") : "none"}
    >
      <button
        type="button"
        onClick={() => setOrder({ by, isDown: order.by === by ? !order.isDown : by === "relations" })}
      >
        {label}
        {order.by === by && <span aria-hidden="true">{order.isDown ? " ↓" : " ↑"}</span>}
      </button>
    </span>
  );
  return (
    <div className={styles.table} role="table" aria-label={t.tableOf} aria-rowcount={rows.length + 1}>
      <div role="rowgroup">
        <div className={styles.head} role="row" aria-rowindex={1}>
          {heading("name", t.columnName)}
          {heading("kind", t.columnKind)}
          {heading("relations", t.columnRelations)}
          <span role="columnheader" className="visually-hidden">
            {t.details}
          </span>
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls with the keys */}
      <div ref={box} className={styles.rows} role="rowgroup" tabIndex={0}>
        <div style={{ height: list.getTotalSize() }} className={styles.inside} role="presentation">
          {list.getVirtualItems().map(({ index, start }) => {
            const each = rows[index] as number;
            const type = graph.picture.types[graph.type[each] as number] as string;
            return (
              <div
                key={graph.picture.nodes.ids[each]}
                role="row"
                aria-rowindex={index + 2}
                className={styles.row}
                data-chosen={each === node || undefined}
                data-unknown={(known && !known.nodes[each]) || undefined}
                style={{ translate: `0 ${start}px` }}
              >
                <span role="cell" className={styles.name}>
                  <NodeMark type={type} />
                  <button
                    type="button"
                    aria-current={each === node || undefined}
                    onClick={() => onChoose(each)}
                  >
                    {names[each]}
                  </button>
                  {known && !known.nodes[each] && <span className={styles.unknown}>{t.notKnown}</span>}
                </span>
                <span role="cell" className={styles.kind}>
                  {kinds(type)}
                </span>
                <span role="cell" className={styles.count}>
                  {(graph.degree[each] as number).toLocaleString("en")}
                </span>
                <span role="cell">
                  <IconButton
                    icon="down"
                    size="small"
                    label={t.moreOf(names[each] as string)}
                    onClick={(event) => {
                      const { left, bottom } = event.currentTarget.getBoundingClientRect();
                      onMenu(each, left - 216, bottom);
                    }}
                  />
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
