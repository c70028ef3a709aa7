import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, expectAccessible, open } from "./house";
import { test } from "./servers";

const KEY = "sk-typed-into-the-page-0123456789";

/** An endpoint that asks for the key, offers two models, and says one sentence. */
async function offering() {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "No key, no words." } }));
    } else if (request.method === "GET") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data: [{ id: "tern" }, { id: "heron" }] }));
    } else {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const choice = { delta: { content: "Good evening." }, finish_reason: "stop" };
      response.end(`data: ${JSON.stringify({ model: "tern", choices: [choice] })}\n\ndata: [DONE]\n\n`);
    }
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, keys, close: () => server.close() };
}

test.describe("on a server without a model", () => {
  test.use({ hasModel: false });

  test("a model is set up in the page: a refusal, the list, a test, and a key that is never shown again", async ({
    page,
    house,
  }) => {
    test.slow();
    const endpoint = await offering();
    const story = await house.story("Set up");
    await open(page, story, "settings");
    const form = page.getByRole("region", { name: "Language model" });
    await form.getByLabel("Kind of server").selectOption({ label: "Ollama" });
    await expect(form.getByLabel("Address")).toHaveValue("http://127.0.0.1:11434/v1");
    await form.getByLabel("Address").fill(endpoint.url);
    await form.getByRole("button", { name: "Fetch the models" }).click();
    await expect(form.getByRole("status")).toContainText("refused the key");
    await form.getByLabel("Key").fill(KEY);
    await form.getByRole("button", { name: "Fetch the models" }).click();
    await expect(form.getByRole("status")).toContainText("2 models there.");
    await form.getByLabel("Model for writing").fill("tern");
    await form.getByRole("button", { name: "Try it" }).click();
    await expect(form.getByRole("status")).toContainText("It answered: “Good evening.”");
    await expectAccessible(page);
    await form.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("The model is set up")).toBeVisible();
    await expect(form.getByLabel("Key")).toHaveValue("");
    await expect(form.getByText("There is one. Type another to replace it.")).toBeVisible();
    await page.reload();
    await expect(form.getByText("There is one. Type another to replace it.")).toBeVisible();
    expect(await page.content()).not.toContain(KEY);
    // Another address does not get it.
    await form.getByLabel("Address").fill(endpoint.url.replace("127.0.0.1", "localhost"));
    await expect(form.getByText("The key is for the old address, and will be dropped.")).toBeVisible();
    await form.getByRole("button", { name: "Fetch the models" }).click();
    await expect(form.getByRole("status")).toContainText("refused the key");
    expect(endpoint.keys.at(-1)).toBeUndefined();
    endpoint.close();
  });
});

test("what the settings of the server say cannot be changed in the page", async ({ page, house, model }) => {
  const story = await house.story("Fixed");
  await open(page, story, "settings");
  const form = page.getByRole("region", { name: "Language model" });
  await expect(form.getByLabel("Address")).toHaveValue(model.url);
  await expect(form.getByLabel("Address")).toHaveAttribute("readonly", "");
  await expect(form.getByLabel("Key")).toHaveCount(0);
});
