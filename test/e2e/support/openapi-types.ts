import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** openapi-typescript needs the compiler's API of TypeScript 5, which TypeScript 7 does not have. ts-morph contains it. */
const COMPILER = pathToFileURL(createRequire(import.meta.url).resolve("@ts-morph/common/dist/typescript.js")).href;
const USE_COMPILER = `
import { registerHooks } from "node:module";
const compiler = ${JSON.stringify(COMPILER)};
registerHooks({ resolve: (name, context, next) => next(name === "typescript" ? compiler : name, context) });
`;

/** Writes the types of the OpenAPI document in `input` to `output`. Both are paths. */
export async function generateTypes(input: string, output: string): Promise<void> {
  const hook = `data:text/javascript,${encodeURIComponent(USE_COMPILER)}`;
  await run(process.execPath, ["--import", hook, "node_modules/openapi-typescript/bin/cli.js", input, "-o", output]);
}
