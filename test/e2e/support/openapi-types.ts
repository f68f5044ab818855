import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const OPTIONS = {
  target: "es2024",
  lib: ["es2024", "dom"],
  module: "esnext",
  moduleResolution: "bundler",
  types: [],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
};

/** Compiles programs that use the types of an OpenAPI document. */
export interface TypeCheck {
  /** Returns the errors of the compiler. The program imports the types from `./types.ts`. */
  compile(program: string): Promise<string>;
  stop(): void;
}

/** `packages` has the path of each package that the programs import. `options` are of the compiler. */
export async function startTypeCheck(
  document: string,
  packages: Record<string, string>,
  options: object = {},
): Promise<TypeCheck> {
  const folder = mkdtempSync(join(tmpdir(), "openapi-types-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const paths = Object.fromEntries(Object.entries(packages).map(([name, path]) => [name, [resolve(path)]]));
  write("tsconfig.json", JSON.stringify({ compilerOptions: { ...OPTIONS, ...options, paths }, files: ["program.ts"] }));
  write("openapi.json", document);
  const generate = ["node_modules/openapi-typescript/bin/cli.js", join(folder, "openapi.json")];
  await run(process.execPath, [
    "--import",
    "./tools/scripts/sdk-types/compiler.ts",
    ...generate,
    "-o",
    join(folder, "types.ts"),
  ]);
  return {
    compile(program) {
      write("program.ts", program);
      return run("node_modules/.bin/tsc", ["-p", folder]).then(
        () => "",
        ({ stdout }: { stdout: string }) => stdout,
      );
    },
    stop: () => rmSync(folder, { recursive: true }),
  };
}
