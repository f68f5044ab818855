import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { app } from "../../src/app.ts";
import { resolveShared } from "./support/openapi.ts";

/** The folder of orval, @hey-api/openapi-ts and the TypeScript that it needs. `.ci/nightly` installs them. */
const INSTALLED = process.env["CLIENT_GENERATORS"];

const OPTIONS = {
  target: "es2024",
  lib: ["es2024", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  types: [],
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
};

const GENERATORS = [
  {
    name: "orval",
    program: "orval/dist/bin/orval.mjs",
    options: ["--client", "fetch"],
    files: ["client.ts"],
    call: (slug: string) => `import { createLink } from "./client";
      export const status: Promise<number> = createLink({ url: "https://example.com/", slug: ${slug} })
        .then((answer) => answer.status === 201 ? answer.data.link.clicks : answer.status);`,
  },
  {
    name: "@hey-api/openapi-ts",
    program: "@hey-api/openapi-ts/bin/run.js",
    options: [],
    files: ["index.ts", "sdk.gen.ts", "types.gen.ts"],
    call: (slug: string) => `import { createLink } from "./index";
      export const clicks: Promise<number | undefined> =
        createLink({ body: { url: "https://example.com/", slug: ${slug} } }).then(({ data }) => data?.link.clicks);`,
  },
];

it.skipIf(INSTALLED === undefined).each(GENERATORS)(
  "$name makes a client that has every operation and compiles",
  async ({ program, options, files, call }) => {
    const folder = mkdtempSync(join(tmpdir(), "client-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    const run = (file: string, args: string[]) =>
      promisify(execFile)(file, args, { cwd: folder }).then(
        ({ stdout }) => ({ ok: true, stdout }),
        ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ ok: false, stdout: stdout + stderr }),
      );
    const response = await app.request("https://tern.test/api/openapi.json", {}, { BASE_URL: "https://tern.test" });
    const text = await response.text();
    write("openapi.json", text);
    // orval takes a file, the other one a folder.
    const output = files.length === 1 ? "client.ts" : ".";
    const paths = ["--input", "openapi.json", "--output", output];
    const generated = await run(process.execPath, [
      join(INSTALLED ?? "", "node_modules", program),
      ...paths,
      ...options,
    ]);
    expect(generated, generated.stdout).toMatchObject({ ok: true });

    const operations = Object.values(resolveShared(JSON.parse(text)).paths).flatMap((methods) =>
      Object.values(methods),
    );
    const imports = operations.map(({ operationId }, index) => `${operationId} as operation${index}`);
    const compile = (slug: string) => {
      write("call.ts", call(slug));
      write("all.ts", `export { ${imports.join(", ")} } from "./${files[0]?.replace(".ts", "")}";`);
      const sources = [...files, "call.ts", "all.ts"];
      write("tsconfig.json", JSON.stringify({ compilerOptions: OPTIONS, files: sources }));
      return run(join(import.meta.dirname, "../../node_modules/.bin/tsc"), ["-p", folder]);
    };
    expect(await compile('"spring"')).toEqual({ ok: true, stdout: "" });
    // The types are those of the document: a number is no text.
    expect((await compile("1")).stdout).toContain("'number' is not assignable to type 'string");
  },
);
