import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { Export, Import, Link } from "@tern/sdk";
import { installation, prepareInstallation, tern } from "./support/installation.ts";
import { until } from "../../support/until.ts";

prepareInstallation();

const write = (name: string, text: string) => writeFileSync(join(tern.folder, name), text);
const read = (name: string) => readFileSync(join(tern.folder, name), "utf8");

test("an import shows a preview, asks, creates the links and saves the rows that failed", async () => {
  const header = "Link,Custom Link,Destination URL,Title";
  const rows = ["bit.ly/imported-1,,https://example.com/1,One", "bit.ly/imported-2,,not a url,Two"];
  write("bitly.csv", `${[header, ...rows].join("\n")}\n`);
  const preview = await tern.run(["import", "bitly.csv", "--from", "bitly", "--dry-run"]);
  expect(preview).toMatchObject({ exitCode: 0, output: expect.stringContaining("Destination URL\turl") });
  expect(preview.output).toContain("bit.ly\t2\t");
  expect(preview.output).toContain("no valid destination: not imported\t1\t3");
  expect(await tern.run(["import", "bitly.csv"])).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining("--yes"),
  });
  expect((await tern.runInTerminal(["import", "bitly.csv"], {}, ["n"])).exitCode).toBe(1);
  const unwritable = await tern.run(["import", "bitly.csv", "--yes", "--failures", "no-folder/failures.csv"]);
  expect(unwritable).toMatchObject({ exitCode: 2, errors: expect.stringContaining("cannot be written") });
  expect(await tern.json<Link[]>("links", "list")).toEqual([]);

  const args = ["import", "bitly.csv", "--from", "bitly", "--yes", "--failures", "failures.csv"];
  const imported = await tern.run([...args, "--json"]);
  expect(imported).toMatchObject({ exitCode: 1, errors: expect.stringContaining("1 link could not be imported") });
  const { id, ...ended } = JSON.parse(imported.output) as Import;
  expect(ended).toMatchObject({ status: "done", created: 1, failed: 1 });
  expect(read("failures.csv")).toContain("not a url");
  expect(await tern.json("links", "get", "imported-1")).toMatchObject({ title: "One", url: "https://example.com/1" });
  expect((await tern.json<Import[]>("import", "list")).find((listed) => listed.id === id)).toMatchObject(ended);
  // What has ended is neither paused nor resumed.
  for (const change of ["pause", "resume"])
    expect(await tern.run(["import", change, id])).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining("done"),
    });
  expect(await tern.json<Import>("import", "undo", id)).toMatchObject({ id, status: "undoing" });
});

test("columns that are not recognised can be named", async () => {
  write("links.csv", "Address;Name on the web\nhttps://example.com/mapped;mapped\n");
  const unknown = await tern.run(["import", "links.csv", "--yes"]);
  expect(unknown).toMatchObject({ exitCode: 2, errors: expect.stringContaining('--map "Address=url"') });
  const map = ["--map", "Address=url", "--map", "Name on the web=slug"];
  const imported = await tern.run(["import", "-", "--yes", ...map], { input: read("links.csv") });
  expect(imported).toMatchObject({ exitCode: 0, output: expect.stringContaining("Created 1 link") });
  const wrong = await tern.run(["import", "links.csv", "--from", "bitly", "--yes"]);
  expect(wrong).toMatchObject({ exitCode: 1, errors: expect.stringContaining("--from auto") });
  write("empty.csv", "");
  expect(await tern.run(["import", "empty.csv", "--yes"])).toMatchObject({ exitCode: 1 });
  expect(await tern.run(["import", "missing.csv", "--yes"])).toMatchObject({ exitCode: 2 });
});

test("an export is written to stdout in a pipe, and to a file that is complete", async () => {
  const user = await installation.newTern();
  const link = await user.json<Link>("links", "create", "https://example.com/exported", "--slug", "exported");
  expect((await user.run(["export"])).output).toContain("https://example.com/exported,exported");
  const done = await user.json<Export & { file: string }>("export", "links", "--format", "json", "--link", "exported");
  const { links } = JSON.parse(readFileSync(join(user.folder, done.file), "utf8")) as { links: Link[] };
  expect(links).toEqual([link]);
  expect(await user.json("export", "qr", "-o", "codes.zip")).toMatchObject({ kind: "qr", file: "codes.zip" });
  expect(readFileSync(join(user.folder, "codes.zip")).subarray(0, 2).toString()).toBe("PK");
  expect(await user.json("export", "qr", "--no-domain-style", "-o", "plain.zip")).toMatchObject({ status: "done" });
  expect(await user.run(["export", "links", "--no-domain-style"])).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining("domainStyle"),
  });
  expect(await user.run(["export", "clicks", "-o", "no-folder/clicks.csv"])).toMatchObject({ exitCode: 2 });
  expect(await user.run(["export", "qr", "-o", "codes.zip"])).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining("--force"),
  });
  expect(await user.run(["export", "-o", "codes.zip", "--force"])).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(user.folder, "codes.zip"), "utf8")).toContain("https://example.com/exported");
  expect(readdirSync(user.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("an export of clicks has the times of the time zone that is asked for", async () => {
  const user = await installation.newTern();
  const { shortUrl } = await user.json<Link>("links", "create", "https://example.com/clicked");
  await fetch(shortUrl, {
    redirect: "manual",
    headers: { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
  });
  let exported = "";
  await until(async () => {
    exported = (await user.run(["export", "clicks", "--timezone", "Asia/Kolkata"])).output;
    return exported.includes(shortUrl);
  });
  expect(exported).toMatch(/,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+05:30,/);
  expect((await user.run(["export", "clicks"])).output).toMatch(/,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,/);
});

test("Ctrl-C leaves a running import, and says how to follow it", async () => {
  const user = await installation.newTern();
  const rows = Array.from({ length: 2_500 }, (_, number) => `https://example.com/${number},followed-${number}`);
  writeFileSync(join(user.folder, "many.csv"), `Address,Name\n${rows.join("\n")}\n`);
  const before = installation.front.requests.length;
  const child = user.start(["import", "many.csv", "--map", "Address=url", "--map", "Name=slug", "--yes"]);
  const errors = text(child.stderr ?? expect.fail("no stderr"));
  const exit = new Promise((resolve) => child.once("close", resolve));
  child.stdout?.resume();
  // The start has been answered when the first request for the state follows it.
  await until(() => {
    const paths = installation.front.requests.slice(before);
    return paths.length > 1 + paths.findIndex((path) => path.endsWith("/start")) && paths.join().includes("/start");
  });
  child.kill("SIGINT");
  expect(await exit).toBe(130);
  const [, id = ""] = /To stop it: tern import cancel ([\w-]+)/.exec(await errors) ?? [];
  await until(async () => (await user.json<{ import: Import }>("api", "GET", `/api/imports/${id}`)).import.created > 0);
});

test("api sends fields, JSON and files, and prints the answer", async () => {
  const fields = ["url=https://example.com/api", "slug=by-api", "maxClicks:=10", 'tags:=["a","b"]'];
  const created = await tern.run(["api", "post", "/api/links", ...fields]);
  const { link } = JSON.parse(created.output) as { link: Link };
  expect(link).toMatchObject({ slug: "by-api", maxClicks: 10, tags: ["a", "b"] });
  const path = `/api/links/${link.id}`;
  const changed = await tern.run(["api", "PATCH", path, "--input", "-"], { input: '{"title": "By stdin"}' });
  expect(JSON.parse(changed.output)).toMatchObject({ link: { title: "By stdin" } });
  const found = await tern.run(["api", "GET", "/api/links", "tag=a", "tag=b", "tagMode=all", "--include"]);
  expect(found.output).toMatch(/^HTTP 200[^]*x-request-id: [^]*"nextCursor": null/);
  expect((await tern.run(["api", "GET", `${path}/qr`, "format=png"])).output).toContain("PNG");
  expect(await tern.run(["api", "DELETE", path])).toMatchObject({ exitCode: 0 });

  expect(await tern.run(["api", "GET", path])).toMatchObject({ exitCode: 1, output: "" });
  for (const wrong of [
    ["GET", "api/links"],
    ["POST", "/api/links", "url"],
    ["POST", "/api/links", "a:=b"],
    ["POST", "/api/links", "--input", "-"],
    ["GET", "/api/links", "--input", "-"],
    ["BREW", "/api/links"],
  ]) {
    expect((await tern.run(["api", ...wrong], { input: "{" })).exitCode, wrong.join(" ")).toBe(2);
  }
});
