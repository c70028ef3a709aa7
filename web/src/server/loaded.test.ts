import { afterEach, expect, test, vi } from "vitest";
import { loaded } from "./loaded";

afterEach(() => vi.useRealTimers());

test("a part that does not come is asked for again until it does", async () => {
  vi.useFakeTimers();
  let asked = 0;
  const part = loaded(async () => {
    asked += 1;
    if (asked < 4) throw new TypeError("Failed to fetch dynamically imported module");
    return "the part";
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toBe(2);
  await vi.advanceTimersByTimeAsync(6_000);
  await expect(part).resolves.toBe("the part");
  expect(asked).toBe(4);
});
