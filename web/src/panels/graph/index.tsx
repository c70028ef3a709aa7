import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Button } from "../../design/Button";
import { Empty, Trouble } from "../../design/states";
import { useStory } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Graph.module.css";
import { GraphView } from "./GraphView";
import { graphOf } from "./graph";
import { pictureOptions } from "./picture";
import { texts } from "./texts";
import { useArranging } from "./useArranging";
import { useLayout } from "./useLayout";
import { useRefresh } from "./useRefresh";
import { useAddress } from "./useSight";

export default function GraphPanel() {
  const { id: storyId } = useStory();
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const client = useQueryClient();
  const address = useAddress();
  const options = pictureOptions(storyId, address.chapter);
  const [isStopped, setStopped] = useState(false);
  const picture = useQuery({ ...options, enabled: !isStopped, placeholderData: keepPreviousData });
  const layout = useLayout(storyId, picture.data);
  const refresh = useRefresh(storyId, options.queryKey);
  const { data } = picture;
  const placed = useMemo(() => (data ? graphOf(data) : null), [data]);
  const arranging = useArranging(storyId, placed, address);
  const { graph } = arranging;
  if (graph) return <GraphView key={storyId} {...{ storyId, graph, arranging, address, layout, refresh }} />;
  if (isStopped)
    return (
      <Empty
        icon="graph"
        title={t.loadingStopped}
        actions={<Button onClick={() => setStopped(false)}>{words.retry}</Button>}
      />
    );
  if (picture.error) return <Trouble error={picture.error} onRetry={() => void picture.refetch()} />;
  return (
    <div className={styles.waiting} role="status">
      <p>{t.loadingGraph}</p>
      <progress aria-label={t.loadingGraph} />
      <Button
        onClick={() => {
          setStopped(true);
          void client.cancelQueries({ queryKey: options.queryKey });
        }}
      >
        {words.cancel}
      </Button>
    </div>
  );
}
