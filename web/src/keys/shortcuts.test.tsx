// @vitest-environment jsdom
import { fireEvent, render } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { keyOf, useShortcuts } from "./shortcuts";

function Bound({ run, keys, inFields = false }: { run(): void; keys: string; inFields?: boolean }) {
  useShortcuts([{ keys, label: "it", group: "test", inFields, run }]);
  return <input aria-label="field" />;
}

const press = (target: Element | Window, key: string, more = {}) =>
  fireEvent.keyDown(target, { key, ...more });

describe("a shortcut", () => {
  it("runs on its key", () => {
    const run = vi.fn();
    render(<Bound run={run} keys="mod+k" />);
    press(window, "k", { ctrlKey: true });
    press(window, "k");
    expect(run).toHaveBeenCalledOnce();
  });

  it("runs on two keys, one after the other", () => {
    const run = vi.fn();
    render(<Bound run={run} keys="g l" />);
    press(window, "l");
    expect(run).not.toHaveBeenCalled();
    press(window, "g");
    press(window, "l");
    expect(run).toHaveBeenCalledOnce();
  });

  it("leaves fields alone unless it says otherwise", () => {
    const quiet = vi.fn();
    const loud = vi.fn();
    const { getAllByLabelText } = render(
      <>
        <Bound run={quiet} keys="n" />
        <Bound run={loud} keys="mod+s" inFields />
      </>,
    );
    const field = getAllByLabelText("field")[0] as Element;
    press(field, "n");
    press(field, "s", { metaKey: true });
    expect(quiet).not.toHaveBeenCalled();
    expect(loud).toHaveBeenCalledOnce();
  });

  it("never runs while text is being composed", () => {
    const run = vi.fn();
    render(<Bound run={run} keys="n" />);
    press(window, "n", { isComposing: true });
    press(window, "n", { keyCode: 229 });
    expect(run).not.toHaveBeenCalled();
  });
});

it("tells shift of letters, not of signs", () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false };
  expect(keyOf({ ...none, key: "X", shiftKey: true })).toBe("shift+x");
  expect(keyOf({ ...none, key: "?", shiftKey: true })).toBe("?");
});
