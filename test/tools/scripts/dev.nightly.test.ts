import { appendFileSync, existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { startCloudflare, type Cloudflare } from "./support/cloudflare.ts";
import { copyProject } from "./support/command.ts";
import { stagingRecipe } from "./support/staging.ts";
import { startWrangler, startWranglerDev, type DevServer } from "./support/wrangler-dev.ts";

// wrangler without the project's own commands, in a copy of the project in which nothing was started before.

let cloudflare: Cloudflare;
beforeAll(async () => {
  cloudflare = await startCloudflare();
});
afterAll(() => cloudflare.close());

let clone: string;
beforeEach(() => {
  clone = copyProject("dist");
});

const start = (args: string[], directory = clone) => startWrangler(args, directory, cloudflare);
const startDev = (args: string[], directory = clone) => startWranglerDev(args, directory, cloudflare);

/** What the build hook may make in the copy. */
function created(): string[] {
  return [".dev.vars", ".wrangler/state", "state"].filter((name) => existsSync(join(clone, name)));
}

/** Shortens a URL and follows it, which needs the tables. */
async function expectWorking({ origin }: DevServer) {
  const shortened = await fetch(`${origin}/api/shorten`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/" }),
  });
  expect(shortened.status).toBe(201);
  const { link } = (await shortened.json()) as { link: { slug: string } };
  expect((await fetch(`${origin}/${link.slug}`, { redirect: "manual" })).status).toBe(302);
}

test("wrangler dev builds the pages and works at its first start, and after a change of the code without preparing again", async () => {
  // These settings are for deployments only. With them, nobody could shorten a URL without a key.
  // The notes of what was built stay, as after a deletion by hand.
  for (const name of readdirSync(join(clone, "dist")))
    if (!name.startsWith(".")) rmSync(join(clone, "dist", name), { recursive: true });
  writeFileSync(join(clone, "deploy.toml"), '[vars]\nANONYMOUS_LINKS_PER_MINUTE = "0"\n');
  const server = await startDev([]);
  await expectWorking(server);
  expect(await (await fetch(`${server.origin}/docs`)).text()).toContain("</html>");
  expect(server.output()).toContain("Using secrets defined in .dev.vars");
  expect(server.output()).not.toContain("Missing required secrets");
  expect(created()).toEqual([".dev.vars", ".wrangler/state"]);
  const key = readFileSync(join(clone, ".dev.vars"), "utf8");
  expect(key).toMatch(/^ENCRYPTION_KEYS="k1:/);

  const updates = () => server.output().split("Local server updated and ready").length;
  appendFileSync(join(clone, "src/limits.ts"), "// changed\n");
  await until(() => updates() > 1);
  await expectWorking(server);
  expect(server.output().match(/The local database in .* is ready/g)).toHaveLength(1);
  expect(readFileSync(join(clone, ".dev.vars"), "utf8")).toBe(key);
  await server.stop();
});

test("wrangler dev works from a folder of the project, with another state folder and with an environment", async () => {
  appendFileSync(join(clone, "wrangler.toml"), stagingRecipe());
  const server = await startDev(["--persist-to", "../../my state", "--env", "staging"], join(clone, "tools/scripts"));
  await expectWorking(server);
  expect(server.output()).toContain(`The local database in ${join(clone, "my state")} is ready`);
  expect(globSync("my state/v3/d1/*/*.sqlite", { cwd: clone })).not.toEqual([]);
  expect(created()).toEqual([".dev.vars"]);
  await server.stop();
});

/** The outbox as a caller sees it who pretends to be on this machine. */
async function readOutbox({ origin }: DevServer) {
  const { port } = new URL(origin);
  const headers = { "CF-Connecting-IP": "127.0.0.1" };
  return fetch(`http://localhost:${port}/api/auth/outbox`, { headers });
}

test("wrangler dev has the outbox, and has none while one of its servers listens beyond this machine", async () => {
  const local = await startDev([]);
  expect((await readOutbox(local)).status).toBe(200);
  await local.stop();
  const wide = await startDev(["--ip", "0.0.0.0"]);
  expect((await readOutbox(wide)).status).toBe(404);
  const beside = await startDev([]);
  expect((await readOutbox(beside)).status).toBe(404);
  expect((await readOutbox(wide)).status).toBe(404);
  await beside.stop();
  await wide.stop();
  const again = await startDev([]);
  expect((await readOutbox(again)).status).toBe(200);
  await again.stop();
});

test("other commands of wrangler prepare nothing on this machine", async () => {
  for (const args of [
    ["deploy", "--dry-run"],
    ["deploy"],
    ["versions", "upload"],
    ["types"],
    // It fails after the build, because the stand-in of Cloudflare's API has no previews.
    ["dev", "--remote", "--port=0"],
  ]) {
    const child = start(args);
    const [output] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(output).toContain("[custom build] Running: node");
    expect(created()).toEqual([]);
  }
});
