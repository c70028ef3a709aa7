// @vitest-environment jsdom
import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { TagInput, tagsIn } from "./TagInput";

function Tags() {
  const [tags, setTags] = useState<string[]>(["one"]);
  return (
    <>
      <TagInput label="Keywords" tags={tags} onChange={setTags} />
      <output>{tags.join("|")}</output>
    </>
  );
}

it("splits at commas of both languages and keeps each tag once", () => {
  expect(tagsIn("a, b，c、a\nd", ["b"])).toEqual(["b", "a", "c", "d"]);
});

it("adds with Enter, not while text is being composed, and takes the last away with Backspace", () => {
  render(<Tags />);
  const field = screen.getByLabelText("Keywords");
  fireEvent.change(field, { target: { value: "林逸" } });
  fireEvent.keyDown(field, { key: "Enter", isComposing: true });
  expect(screen.getByRole("status").textContent).toBe("one");
  fireEvent.keyDown(field, { key: "Enter" });
  expect(screen.getByRole("status").textContent).toBe("one|林逸");
  fireEvent.keyDown(field, { key: "Backspace" });
  expect(screen.getByRole("status").textContent).toBe("one");
});
