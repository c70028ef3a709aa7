import { useQuery } from "@tanstack/react-query";
import { listExtractionsOptions } from "../client/rest/@tanstack/react-query.gen";
import styles from "./WaitingBadge.module.css";

const MOST = 99;

/** How many proposals wait for review; nothing where none does. */
export function WaitingBadge({ storyId }: { storyId: string }) {
  const waiting = useQuery(
    listExtractionsOptions({ path: { storyId }, query: { reviewed: false, size: 1 } }),
  );
  const count = waiting.data?.totalElements ?? 0;
  return count > 0 && <span className={styles.badge}>{count > MOST ? `${MOST}+` : count}</span>;
}
