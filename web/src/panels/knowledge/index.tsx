import { useSearchParams } from "react-router";
import { useStory } from "../../story/story";
import { Irony } from "./Irony";
import styles from "./Knowledge.module.css";
import { Thoughts } from "./Thoughts";

/** Who knows what: what the reader knows and a stage does not, and what people think that others know. */
export default function KnowledgePanel() {
  const { id: storyId } = useStory();
  const [params, setParams] = useSearchParams();
  const change = (key: string, values: readonly string[]) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete(key);
        for (const value of values) next.append(key, value);
        return next;
      },
      { replace: true },
    );
  return (
    <div className={styles.panel}>
      <Irony
        storyId={storyId}
        place={params.get("scene")}
        onPlace={(place) => change("scene", place === null ? [] : [place])}
      />
      <Thoughts storyId={storyId} chain={params.getAll("who")} onChain={(chain) => change("who", chain)} />
    </div>
  );
}
