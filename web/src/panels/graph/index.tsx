import { Empty } from "../../design/states";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

export default function GraphPanel() {
  const t = useTexts(texts);
  return (
    <Empty icon="graph" title={t.notYet}>
      {t.meanwhile}
    </Empty>
  );
}
