// @vitest-environment jsdom
import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { keyOf, useShortcuts } from "./shortcuts";

function Bound({ run, keys, inFields = false }: { run(): void; keys: string; inFields?: boolean }) {
  useShortcuts([{ keys, label: "it", group: "test", inFields, run }]);
  return <input aria-label="field" />;
}

const press = (target: Element | Window, key: string, more = {}) =>
  fireEvent.keyDown(target, { key, ...more });

afterEach(cleanup);

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

  it("lets a key be the second of two that belong to somebody else", () => {
    const one = vi.fn();
    const two = vi.fn();
    render(
      <>
        <Bound run={one} keys="r" />
        <Bound run={two} keys="g r" />
      </>,
    );
    press(window, "g");
    press(window, "r");
    expect([one.mock.calls.length, two.mock.calls.length]).toEqual([0, 1]);
    press(window, "r");
    expect([one.mock.calls.length, two.mock.calls.length]).toEqual([1, 1]);
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

  it("leaves arrows to what is moved with them", () => {
    const run = vi.fn();
    const { getByRole } = render(
      <>
        <Bound run={run} keys="ArrowRight" />
        <input type="radio" />
        <input type="range" />
      </>,
    );
    press(getByRole("radio"), "ArrowRight");
    press(getByRole("slider"), "ArrowRight");
    expect(run).not.toHaveBeenCalled();
    press(window, "ArrowRight");
    expect(run).toHaveBeenCalledOnce();
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
