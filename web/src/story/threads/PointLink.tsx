import { Link } from "react-router";
import type { PlacedPoint } from "../../client/rest";
import { useTexts } from "../../texts/language";
import { scenePage } from "../addresses";
import styles from "./Threads.module.css";
import { texts } from "./texts";
import type { Role } from "./threads";

/** A place where a thread is planted, advanced or paid off: a mark that leads to its words. */
export function PointLink({
  storyId,
  role,
  point,
  at,
}: {
  storyId: string;
  role: Role;
  point: PlacedPoint;
  at: string;
}) {
  const t = useTexts(texts);
  return (
    <Link
      className={styles.point}
      data-role={role}
      draggable={false}
      to={scenePage(storyId, point.chapter, point.scene, point)}
      title={`${t[role]}: ${point.quotation}`}
      aria-label={`${t[role]}: ${at}`}
    />
  );
}
