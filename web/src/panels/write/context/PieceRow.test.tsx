// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { TraceItem } from "../../../client/rest";
import { Placed } from "../../../stories/answering";
import { type Language, languageStore } from "../../../texts/language";
import { PieceRow } from "./PieceRow";
import type { Pins } from "./usePins";

const PINS: Pins = { pins: [], isPinned: () => false, toggle: () => {} };

const entry: TraceItem = { kind: "entry", id: "carol", label: "Carol", included: true, reason: "recalled" };
const show = (trace: TraceItem) => {
  const View = () => <PieceRow piece={{ trace, type: null, text: "", entityId: null }} pins={PINS} />;
  render(<Placed View={View} path="write" at="write" />);
};

describe("a piece that comes to mind", () => {
  const before = languageStore.getState();
  afterEach(() => {
    cleanup();
    languageStore.setState(before);
  });

  it.each<[Language, string]>([
    ["en", "comes to mind · Alice → Carol"],
    ["zh", "由文联想 · Alice → Carol"],
  ])("says which way led to it, in %s", async (language, said) => {
    languageStore.setState(language);
    show({ ...entry, hopPath: ["Alice", "Carol"], score: 0.8, threshold: 0.5 });
    expect(await screen.findByText(said)).toBeTruthy();
  });

  it.each<[Language, string]>([
    ["en", "bears too little on the text · 0.31, the line is at 0.50"],
    ["zh", "与文中所写关联不足 · 0.31，界线为 0.50"],
  ])("says where the line was drawn, in %s", async (language, said) => {
    languageStore.setState(language);
    show({ ...entry, included: false, reason: "below_line", score: 0.31, threshold: 0.5 });
    expect(await screen.findByText(said)).toBeTruthy();
  });
});
