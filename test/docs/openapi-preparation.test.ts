import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../e2e/support/build.ts";
import { publicOperations, readDocument } from "../packages/sdk/support/operations.ts";
import type { Document } from "../e2e/support/openapi.ts";

it("examples/openapi/prepare.js keeps exactly the operations that a key, or nobody, may call", async () => {
  const { text, document } = await readDocument();
  const output = execFileSync(process.execPath, [join(ROOT, "examples/openapi/prepare.js")], {
    input: text,
    encoding: "utf8",
    maxBuffer: text.length * 2,
  });
  const prepared = JSON.parse(output) as Document;
  const operations = Object.values(prepared.paths).flatMap((methods) => Object.values(methods));
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids).toEqual(publicOperations(document).map(({ operationId }) => operationId));
  expect(output).not.toContain('"session":[]');
  expect(text).toMatch(/"enum":\[[^\]]*null\]/);
  expect(output).not.toMatch(/"enum":\[[^\]]*null\]/);
  expect(Object.keys(prepared.components)).toEqual(expect.arrayContaining(["schemas", "securitySchemes"]));
  const names = Object.values(prepared.components.schemas).flatMap((schema) => Object.keys(schema.properties ?? {}));
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !/^\w+$/.test(name))).toEqual([]);
});
