import { expect, it, onTestFinished } from "vitest";
import { app } from "../../src/app.ts";
import { clientFor } from "./support/openapi-client.ts";
import { operationsIn, resolveShared } from "./support/openapi.ts";
import { startTypeCheck } from "./support/openapi-types.ts";

it("gives types with which a program that uses every operation and every event compiles", async () => {
  const response = await app.request("https://tern.test/api/openapi.json", {}, { BASE_URL: "https://tern.test" });
  const text = await response.text();
  const packages = { "openapi-fetch": "node_modules/openapi-fetch" };
  const check = await startTypeCheck(text, packages, { noUncheckedIndexedAccess: true });
  onTestFinished(() => check.stop());

  const document = resolveShared(JSON.parse(text));
  const client = clientFor(document);
  for (const [, { operationId }] of operationsIn(document)) expect(client).toContain(`const ${operationId}`);
  expect(await check.compile(client)).toBe("");
  // The types are those of the document: a text is no number.
  const wrong = client.replace('"slug":"Spring-26"', '"slug":1');
  expect(await check.compile(wrong)).toContain("'number' is not assignable");
});
