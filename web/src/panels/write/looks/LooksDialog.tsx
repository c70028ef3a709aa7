import { useStore } from "zustand";
import { Dialog } from "../../../design/Dialog";
import { Choice, Switch } from "../../../design/Field";
import { inBoth, useTexts } from "../../../texts/language";
import { changeLooks, LINES, SIZES, textLooks, WIDTHS } from "./textLooks";

const texts = inBoth({
  title: ["How the text looks", "正文外观"],
  size: ["Size of the letters", "字号"],
  small: ["Small", "小"],
  usual: ["Usual", "标准"],
  large: ["Large", "大"],
  larger: ["Larger", "特大"],
  width: ["Width of the column", "栏宽"],
  narrow: ["Narrow", "窄"],
  wide: ["Wide", "宽"],
  lines: ["Distance of the lines", "行距"],
  close: ["Close", "紧"],
  airy: ["Airy", "松"],
  focus: ["Focus: nothing but the text", "专注：只显示正文"],
});

/** Size, width and line height of the text, and focus; seen at once behind the dialog. */
export default function LooksDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(texts);
  const looks = useStore(textLooks);
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Choice
        label={t.size}
        value={looks.size}
        onChange={(size) => changeLooks({ size })}
        options={SIZES.map((value) => ({ value, label: t[value] }))}
      />
      <Choice
        label={t.width}
        value={looks.width}
        onChange={(width) => changeLooks({ width })}
        options={WIDTHS.map((value) => ({ value, label: t[value] }))}
      />
      <Choice
        label={t.lines}
        value={looks.lines}
        onChange={(lines) => changeLooks({ lines })}
        options={LINES.map((value) => ({ value, label: t[value] }))}
      />
      <Switch
        label={t.focus}
        checked={looks.isFocused}
        onChange={(isFocused) => changeLooks({ isFocused })}
      />
    </Dialog>
  );
}
