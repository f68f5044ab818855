import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { bundle } from "./support/bundle.ts";

const MAX_GZIPPED_BYTES = 6_190;

it("is small", async () => {
  const { code, exports, imports } = await bundle(resolve("packages/sdk/dist/index.js"), { minify: true });
  expect(imports).toEqual([]);
  expect(exports.sort()).toEqual(["List", "Tern", "TernError", "webhooks"]);
  const bytes = gzipSync(code, { level: 9 }).byteLength;
  console.log(`sdk: ${code.length} bytes, ${bytes} bytes gzipped`);
  expect(bytes).toBeLessThanOrEqual(MAX_GZIPPED_BYTES);
});
