import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withLocalDatabase } from "../../scripts/local-database.ts";
import { localDatabases, prepareDatabases } from "../../scripts/several-databases.ts";
import { createAccount } from "../support/accounts.ts";
import { postLink, runScript, startService, temporaryFolder } from "./support/command.ts";

const folder = temporaryFolder();
const state = join(folder, "state");

async function countLinks(id: string): Promise<number | null> {
  return withLocalDatabase(state, (db) => db.prepare("SELECT count(*) AS n FROM links").first<number>("n"), id);
}

test("with three databases, new accounts are dealt to them, and each finds its links", async () => {
  await withLocalDatabase(state, (core) => createAccount(core));
  await prepareDatabases(localDatabases(["--databases", "3", "--persist-to", state]));
  const keys = await withLocalDatabase(state, async (core) => {
    const accounts = [];
    for (let n = 0; n < 3; n++) accounts.push((await createAccount(core)).key);
    return accounts;
  });
  // The folder says how many databases there are.
  const service = await startService(state, join(folder, "key"));
  onTestFinished(() => service.stop());
  await postLink(service, "/api/links", { slug: "demo" });
  for (const [n, key] of keys.entries()) {
    await postLink({ ...service, key }, "/api/links", { slug: `link-${n}` });
    const taken = await fetch(`${service.origin}/api/links`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ url: "https://example.com/", slug: n === 0 ? "demo" : `link-${n - 1}` }),
    });
    expect(taken.status).toBe(409);
    const visited = await fetch(`${service.origin}/link-${n}`, { redirect: "manual" });
    expect(visited.headers.get("Location")).toBe("https://example.com/a/page");
  }
  await service.stop();
  // Accounts from the second on are dealt, and the fifth is that of the demo.
  expect([await countLinks("DB"), await countLinks("DB_2"), await countLinks("DB_3")]).toEqual([2, 1, 1]);
});

test("the folder keeps its number, and its backup is restored into another folder with as many", async () => {
  const run = (name: string, ...args: string[]) => runScript(name, [...args, "--persist-to", state]);
  const fewer = await run("start.ts", "--databases", "2");
  expect([fewer.exitCode, fewer.errors]).toEqual([1, expect.stringContaining("npm start -- --databases 3")]);
  const wrong = await run("start.ts", "--databases", "many");
  expect(wrong.errors).toContain("--databases must be a number from 1 to 10.");
  expect((await run("keys.ts")).output).toContain("Nothing is stored under a key that is not listed.");
  const file = join(folder, "backup.jsonl.gz");
  expect((await run("backup.ts", "--out", file)).output).toContain("Wrote");
  const restored = await runScript("restore.ts", [file, "--persist-to", join(folder, "restored")]);
  expect(restored.output).toContain("The directory of slugs and domains: 2 added, 0 removed, 0 conflicts.");
  expect((await run("restore.ts", "--reconcile")).output).toContain("0 added, 0 removed, 0 conflicts.");
});
