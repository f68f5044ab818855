import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "sdk-package-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PACKAGE = resolve("packages/sdk");

/** Runs a command in the folder of the package. Throws with its output if it fails. */
async function command(name: string, ...options: string[]): Promise<string> {
  const path = `${resolve("node_modules/.bin")}:${process.env["PATH"]}`;
  // Other tests use the built package meanwhile, so `npm pack` must not build it again.
  const env = { ...process.env, PATH: path, npm_config_ignore_scripts: "true" };
  const { stdout } = await run(name, options, { cwd: PACKAGE, env }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(stdout + stderr);
    },
  );
  return stdout;
}

it("is packed, installed and used without anything else, with its types", async () => {
  const packed = JSON.parse(await command("npm", "pack", "--json", `--pack-destination=${folder}`)) as {
    filename: string;
    files: { path: string }[];
  }[];
  const [{ filename, files } = { filename: "", files: [] }] = packed;
  const names = files.map(({ path }) => path);
  expect(names).toEqual(
    expect.arrayContaining(["package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts"]),
  );
  expect(names.filter((name) => !/^(dist\/[\w/-]+\.(d\.ts|js)|package\.json|README\.md|LICENSE)$/.test(name))).toEqual(
    [],
  );

  const target = join(folder, "node_modules/@tern/sdk");
  mkdirSync(target, { recursive: true });
  await run("tar", ["-xzf", join(folder, filename), "--strip-components=1", "-C", target]);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(folder, "use.ts"),
    `import { Tern, TernError, webhooks, type Link, type WebhookEvent } from "@tern/sdk";
const client: Tern = new Tern({ apiKey: null, baseUrl: "https://go.example" });
export const link: () => Promise<Link> = () => client.links.create({ url: "https://example.com/" });
export const event: Promise<WebhookEvent> = webhooks.verify("", {}, "").catch((error: unknown) => { throw error as TernError; });
event.catch(() => console.log("used"));
`,
  );
  // Without the types of Node and with those of browsers, as a program for Workers or Deno has them.
  const compilerOptions = { strict: true, module: "nodenext", target: "es2022", lib: ["es2022", "dom"], types: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  await run(resolve("node_modules/.bin/tsc"), ["-p", folder]);
  expect((await run(process.execPath, [join(folder, "use.js")])).stdout).toBe("used\n");
});

it("has no fault that publint or Are the types wrong? knows", async () => {
  await command("publint", "--strict", "--pack", "npm");
  await command("attw", "--pack", ".", "--profile", "esm-only");
});

it("has no dependency", () => {
  const members = Object.keys(JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as object);
  expect(members.filter((name) => /dependencies$/i.test(name))).toEqual([]);
});
