import { describe, expect, it } from "vitest";
import { blankIn, copyOf } from "./draft";
import { withWorldInfo, worldInfoOf } from "./worldInfo";

const KEPT = { uid: 3, key: ["fog"], position: 4, depth: 2, role: 1, ownField: { kept: true } };
const imported = { ...blankIn("glade"), entryKey: "Fog", keywordsJson: ["fog"] };

describe("the World Info of an entry", () => {
  it("is read as it came, and as a new entry's where it says nothing", () => {
    const said = worldInfoOf({ extensions: { sillytavern: KEPT } });
    expect(said).toMatchObject({ position: 4, depth: 2, role: 1, probability: 100, sticky: null });
    expect(worldInfoOf({ extensions: {} })).toMatchObject({ position: 0, depth: 4, useProbability: true });
  });

  it("is changed field by field, and keeps what nobody here knows", () => {
    const fields = { ...imported, extensions: { origin: { name: "Fog" }, sillytavern: KEPT } };
    const { extensions, ...rest } = withWorldInfo(fields, { sticky: 3 });
    expect(extensions).toEqual({ origin: { name: "Fog" }, sillytavern: { ...KEPT, sticky: 3 } });
    expect(rest).toEqual({});
  });

  it("says where it stands in a chat and in a scene together", () => {
    const fields = { ...imported, extensions: { sillytavern: KEPT } };
    expect(withWorldInfo(fields, { position: 1 }).insertionPosition).toBe("system_prompt");
    expect(withWorldInfo(fields, { position: 4 }).insertionPosition).toBe("after_scene");
  });

  it("stays text where it came as text", () => {
    const fields = { ...imported, extensions: { sillytavern: { json: '{"": 1, "depth": 9}' } } };
    expect(worldInfoOf(fields).depth).toBe(9);
    const { extensions } = withWorldInfo(fields, { depth: 5 });
    expect(extensions).toEqual({ sillytavern: { json: '{"":1,"depth":5}' } });
  });

  it("keeps the name of an entry without World Info among its keys", () => {
    const fields = { ...blankIn("glade"), entryKey: "Lake" };
    expect(withWorldInfo(fields, { probability: 50 }).keywordsJson).toEqual(["Lake"]);
    expect(withWorldInfo({ ...fields, keywordsJson: ["Lake"] }, { probability: 50 }).keywordsJson).toBe(
      undefined,
    );
  });
});

describe("a new entry", () => {
  it("of another book is custom, and a copy is no second original", () => {
    expect(blankIn("own").category).toBe("character");
    expect(blankIn("glade")).toMatchObject({ category: "custom", bookId: "glade" });
    const fields = { ...imported, extensions: { origin: { name: "Fog" }, sillytavern: KEPT } };
    expect(copyOf(fields, "Fog 2")).toMatchObject({ entryKey: "Fog 2", extensions: { sillytavern: KEPT } });
    expect(copyOf(fields, "Fog 2").extensions).not.toHaveProperty("origin");
  });
});
