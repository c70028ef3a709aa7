import { Impact } from "../../story/Impact";
import { useTexts } from "../../texts/language";
import { Doom, NewNode } from "./dialogs";
import type { Graph } from "./graph";
import { EdgeDialog, RelationDialog } from "./RelationDialog";
import { texts } from "./texts";
import type { Changes } from "./useChanges";
import type { Chosen } from "./useChosen";

interface QuestionsProps {
  storyId: string;
  graph: Graph;
  types: readonly string[];
  changes: Changes;
  chosen: Chosen;
}

/** The window that goes with what somebody wants to do. */
export function Questions({ storyId, graph, types, changes, chosen }: QuestionsProps) {
  const t = useTexts(texts);
  const { question, ask, choose, show } = chosen;
  const close = () => ask(null);
  const { ids, names } = graph.picture.nodes;
  const picked = (place: number) => ({
    id: ids[place] as string,
    name: names[place] as string,
    type: graph.picture.types[graph.type[place] as number] as string,
  });
  if (question === null) return null;
  if (question.kind === "new")
    return (
      <NewNode types={types} place={question.place} changes={changes} onCreated={show} onClose={close} />
    );
  if (question.kind === "relate")
    return (
      <RelationDialog
        storyId={storyId}
        source={picked(question.source)}
        target={question.target === null ? null : picked(question.target)}
        changes={changes}
        onClose={close}
      />
    );
  if (question.kind === "deleteNode") {
    const { id, name } = picked(question.node);
    return (
      <Doom
        title={t.deleteNodeTitle(name)}
        onClose={close}
        onDelete={() => {
          choose(null);
          void changes.remove(id, name);
        }}
      >
        <p>{t.deleteNodeAsk(name)}</p>
        <Impact storyId={storyId} id={id} />
      </Doom>
    );
  }
  const id = graph.picture.edges.ids[question.edge] as string;
  const { source, word, target } = chosen.tie(question.edge);
  if (question.kind === "deleteEdge")
    return (
      <Doom
        title={t.deleteEdgeTitle}
        onClose={close}
        onDelete={() => {
          choose(null);
          void changes.unrelate(id);
        }}
      >
        <p>{t.deleteEdgeAsk(source, word, target)}</p>
      </Doom>
    );
  return (
    <EdgeDialog
      storyId={storyId}
      type={graph.picture.edgeTypes[graph.picture.edges.types[question.edge] as number] as string}
      onSave={(type) => void changes.retype(id, type)}
      onClose={close}
    />
  );
}
