import { Empty } from "../../design/states";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

export default function EntityPanel() {
  const t = useTexts(texts);
  return (
    <Empty icon="eye" title={t.notYet}>
      {t.meanwhile}
    </Empty>
  );
}
