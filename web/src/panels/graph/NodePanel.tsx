import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button, IconButton } from "../../design/Button";
import { NodeMark } from "../../design/NodeMark";
import { Loading, Trouble } from "../../design/states";
import { useTexts } from "../../texts/language";
import styles from "./Details.module.css";
import type { Graph } from "./graph";
import { NodeForm } from "./NodeForm";
import { nodeOptions } from "./node";
import { texts } from "./texts";
import type { Changes } from "./useChanges";
import { useKinds } from "./words";

interface NodePanelProps {
  storyId: string;
  graph: Graph;
  node: number;
  types: readonly string[];
  changes: Changes;
  word(type: string): string;
  onShow(id: string): void;
  onEdge(edge: number): void;
  onRelate(): void;
  onLorebook(): void;
  onPage(): void;
  onDelete(): void;
  onClose(): void;
}

/** What is known of the node that was chosen, and its relations in words. */
export function NodePanel(props: NodePanelProps) {
  const { storyId, graph, node, types, changes, onShow, onClose } = props;
  const t = useTexts(texts);
  const kinds = useKinds();
  const { ids, names } = graph.picture.nodes;
  const id = ids[node] as string;
  const type = graph.picture.types[graph.type[node] as number] as string;
  const entity = useQuery({ ...nodeOptions(storyId, id), enabled: !id.startsWith("new:") });
  return (
    <aside className={styles.panel} aria-label={t.details}>
      <header className={styles.header}>
        <NodeMark type={type} size={20} />
        <div className={styles.title}>
          <h2>{names[node]}</h2>
          <p>
            {kinds(type)} · {t.relationsOf(graph.degree[node] as number)}
          </p>
        </div>
        <IconButton icon="close" size="small" label={t.closeDetails} onClick={onClose} />
      </header>
      <div className={styles.tools}>
        <Button size="small" icon="plus" onClick={props.onRelate}>
          {t.relate}
        </Button>
        <IconButton icon="book" size="small" label={t.inLorebook} onClick={props.onLorebook} />
        <IconButton icon="eye" size="small" label={t.wholePage} onClick={props.onPage} />
        <IconButton icon="trash" size="small" label={t.deleteNode} onClick={props.onDelete} />
      </div>
      <div className={styles.body}>
        {entity.data ? (
          <NodeForm key={id} entity={entity.data} types={types} changes={changes} onShow={onShow} />
        ) : entity.error ? (
          <Trouble error={entity.error} onRetry={() => void entity.refetch()} />
        ) : (
          <Loading rows={3} />
        )}
        <Ties key={`ties:${id}`} {...props} />
      </div>
    </aside>
  );
}

const SHOWN = 40;

/** The relations of a node, those that lead away from it first. */
function Ties({ graph, node, word, onShow, onEdge }: NodePanelProps) {
  const t = useTexts(texts);
  const [most, setMost] = useState(SHOWN);
  const { ids, names } = graph.picture.nodes;
  const [begin, end] = [graph.first[node] as number, graph.first[node + 1] as number];
  const links = [...graph.links.slice(begin, end)].sort((a, b) => {
    const isIn = (edge: number) => (graph.source[edge] === node ? 0 : 1);
    return isIn(a) - isIn(b) || a - b;
  });
  return (
    <section className={styles.ties} aria-label={t.relations}>
      <h3>{t.relations}</h3>
      {links.length === 0 && <p className={styles.none}>{t.noRelations}</p>}
      <ul>
        {links.slice(0, most).map((edge) => {
          const isOut = graph.source[edge] === node;
          const other = (isOut ? graph.target[edge] : graph.source[edge]) as number;
          const said = word(graph.picture.edgeTypes[graph.picture.edges.types[edge] as number] as string);
          return (
            <li key={graph.picture.edges.ids[edge]}>
              <button type="button" className={styles.word} onClick={() => onEdge(edge)}>
                {isOut ? `${said} →` : `← ${said}`}
              </button>
              <button type="button" className={styles.other} onClick={() => onShow(ids[other] as string)}>
                <NodeMark type={graph.picture.types[graph.type[other] as number] as string} size={12} />
                <span>{names[other]}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {links.length > most && (
        <Button look="quiet" size="small" onClick={() => setMost(most + 10 * SHOWN)}>
          {t.moreRelations(links.length - most)}
        </Button>
      )}
    </section>
  );
}
