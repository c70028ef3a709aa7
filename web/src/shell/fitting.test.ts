import { expect, it } from "vitest";
import { fitting } from "./fitting";

const command = (label: string) => ({ id: label, label, group: "" });

it("puts what begins so first, then what holds it, then what has the letters in order", () => {
  const found = fitting(["Light", "The graph", "Graph", "Great old ape, h"].map(command), "graph");
  expect(found.map(({ label }) => label)).toEqual(["Graph", "The graph", "Great old ape, h"]);
});
