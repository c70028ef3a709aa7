import type { APIRequestContext } from "@playwright/test";
import { entity } from "./graph";
import { expect, expectAccessible, open } from "./house";
import { test } from "./servers";

/** A story in which two people share their scenes, and nothing says what they are to each other. */
async function fill(request: APIRequestContext, story: string, people: [string, string], text: string) {
  for (const name of people) await entity(request, story, name, { description: `${name}.` });
  for (const scene of [0, 1, 2]) {
    const saved = await request.put(`/api/v2/stories/${story}/chapters/0/scenes/${scene}`, {
      data: { text: `${text} (${scene + 1})` },
    });
    expect(saved.ok()).toBe(true);
  }
}

const TIES = [
  {
    language: "en",
    people: ["Ada", "Tom"],
    text: "Ada and Tom rowed to the lighthouse. Tom held the lamp for Ada.",
    price: /0 names belong to somebody, and 1 tie\..*1 request, about [\d,]+ tokens/,
    ask: "Ask the model",
    asked: /The model was asked 1 questions?: [\d,]+ tokens/,
  },
  {
    language: "zh",
    people: ["江离", "沈潮"],
    text: "江离与沈潮划船去灯塔。沈潮替江离提着灯。",
    price: /0 个名字属于谁，1 对人物是什么关系。.*1 次请求，约 [\d,]+ 个 token/,
    ask: "询问模型",
    asked: /已向模型询问 1 个问题，用去 [\d,]+ 个 token/,
  },
] as const;

for (const { language, people, text, price, ask, asked } of TIES) {
  test(`what the rules left open is priced before, asked once, and its price told after (${language})`, async ({
    page,
    house,
    request,
    model,
  }) => {
    test.slow();
    const story = await house.story(`Open ${language}`, language);
    await fill(request, story, [...people], text);
    await page.addInitScript(
      (chosen) => localStorage.setItem("fabula:language", JSON.stringify(chosen)),
      language,
    );
    await open(page, story, "review");
    await expect(page.getByText(price)).toBeVisible();
    await expectAccessible(page);
    expect(model.asked).toHaveLength(0);
    await page.getByRole("button", { name: ask }).click();
    const answer = await model.next();
    // While the model thinks, the page says so, and offers the button no second time.
    await expect(page.getByRole("progressbar")).toBeVisible();
    await expect(page.getByRole("button", { name: ask })).toHaveCount(0);
    const told = JSON.stringify(model.asked);
    for (const name of people) expect(told).toContain(name);
    // Whoever comes back finds it still being asked.
    await page.reload();
    await expect(page.getByRole("progressbar")).toBeVisible();
    await expect(page.getByRole("button", { name: ask })).toHaveCount(0);
    answer.say(JSON.stringify({ answers: [{ number: 1, answer: "ally", reversed: false }] }));
    answer.finish();
    await expect(page.getByText(asked).first()).toBeVisible();
    expect(model.asked).toHaveLength(1);
    // The answer waits for review, and is not open any more.
    await expect(page.getByText(price)).toHaveCount(0);
    const { content } = await (await request.get(`/api/v2/stories/${story}/extractions`)).json();
    expect(content).toHaveLength(1);
  });
}

test("asking the model can be cancelled, changes nothing then, and can be begun again", async ({
  page,
  house,
  request,
  model,
}) => {
  test.slow();
  const story = await house.story("Open and stopped", "en");
  const [{ people, text, price, ask }] = TIES;
  await fill(request, story, [...people], text);
  await open(page, story, "review");
  await page.getByRole("button", { name: ask }).click();
  await model.next();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText(/not asked to the end; nothing was changed/).first()).toBeVisible();
  await expect(page.getByText(price)).toBeVisible();
  await page.getByRole("button", { name: ask }).click();
  const answer = await model.next();
  answer.say(JSON.stringify({ answers: [{ number: 1, answer: "ally", reversed: false }] }));
  answer.finish();
  await expect(page.getByText(/The model was asked 1 question/).first()).toBeVisible();
});
