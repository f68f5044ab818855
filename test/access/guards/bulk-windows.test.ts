import { expect, it } from "vitest";
import { SESSION_CHANGES } from "../../../src/access/guards/limits.ts";
import { signUp } from "../../identity/people/support.ts";

it("bulk operations of a session leave the window of its single changes whole", async () => {
  const { browser } = await signUp();
  const { body } = await browser.post("/api/links", { url: "https://example.com/" });
  const { id } = body["link"] as { id: string };
  const tag = () => browser.send("PATCH", "/api/links/bulk", { body: { ids: [id], changes: { addTags: ["spring"] } } });
  for (let calls = 0; calls < SESSION_CHANGES; calls++) expect((await tag()).status).toBe(200);
  expect((await tag()).status).toBe(429);
  const single = await browser.post("/api/links", { url: "https://example.com/" });
  expect(single.status).toBe(201);
  expect(single.headers.get("X-RateLimit-Remaining")).toBe(`${SESSION_CHANGES - 2}`);
  expect((await browser.post("/api/bulk", { ids: [id], changes: { archived: true } })).status).toBe(429);
});
