import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useStory } from "../../story/story";
import styles from "./Graph.module.css";
import { fieldsOf, nodeOptions } from "./node";

/** What is under the pointer: a few words, and of a node its id. */
export interface Told {
  readonly text: string;
  readonly nodeId: string | null;
}

const RESTS_MS = 150;
const LONGEST = 240;
const MOST = 6;

const shortened = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** What is said of the thing under the pointer; of a node that the pointer rests on, what is known of it. */
export function Tip({ told, x, y }: { told: Told; x: number; y: number }) {
  return (
    <div className={styles.tip} role="tooltip" style={{ left: x + 14, top: y + 16 }}>
      {told.text}
      {told.nodeId !== null && <NodeTold key={told.nodeId} id={told.nodeId} />}
    </div>
  );
}

function NodeTold({ id }: { id: string }) {
  const story = useStory();
  const [rests, setRests] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRests(true), RESTS_MS);
    return () => clearTimeout(timer);
  }, []);
  const node = useQuery({ ...nodeOptions(story.id, id), enabled: rests }).data;
  if (!node) return null;
  const { description, rows } = fieldsOf(node);
  return (
    <>
      {description && <p>{shortened(description)}</p>}
      {rows.length > 0 && (
        <dl>
          {rows.slice(0, MOST).map(({ key, value }) => (
            <div key={key}>
              <dt>{shortened(key)}</dt>
              <dd>{shortened(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
