import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { Loading, Trouble } from "../../design/states";
import { useStory } from "../../story/story";
import { EntityView } from "./EntityView";
import { entityOptions } from "./entity";

export default function EntityPanel() {
  const { id: storyId } = useStory();
  const { entityId = "" } = useParams();
  const entity = useQuery(entityOptions(storyId, entityId));
  if (entity.data) return <EntityView key={entityId} storyId={storyId} entity={entity.data} />;
  if (entity.error) return <Trouble error={entity.error} onRetry={() => void entity.refetch()} />;
  return <Loading rows={8} />;
}
