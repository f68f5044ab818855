import { beforeAll, expect, test } from "vitest";
import type { Clicks, Link } from "@tern/sdk";
import { packVerdict } from "#src/redirect/verdict.ts";
import { installation, prepareInstallation, tern } from "./support/installation.ts";
import { Tern } from "./support/tern.ts";
import { until } from "../../support/until.ts";

let url: string;

prepareInstallation();
beforeAll(() => void (url = installation.front.origin));

test("shorten prints only the short URL in a pipe", async () => {
  const shortened = await tern.run(["shorten", "https://example.com/a", "--slug", "piped"]);
  expect(shortened).toEqual({ exitCode: 0, output: `${url}/piped\n`, errors: "" });
  expect(await tern.json("shorten", "https://example.com/b")).toMatchObject({
    shortUrl: expect.stringMatching(/^http/),
    link: { url: "https://example.com/b", expiresAt: null },
  });
  const { output } = await tern.runInTerminal(["shorten", "https://example.com/c", "--slug", "shown"]);
  expect(output).toContain(`${url}/shown`);
  expect(output).toContain("leads to https://example.com/c");
});

test("shorten works without a key if only the URL of the service is set", async () => {
  const anonymous = new Tern({ TERN_BASE_URL: url });
  const { link } = await anonymous.json<{ link: Link }>("shorten", "https://example.com/");
  expect(link.expiresAt).toBeGreaterThan(0);
  expect(await anonymous.run(["links", "list"])).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining("TERN_API_KEY"),
  });
});

test("a link is created, found by id, short URL and slug, changed, deleted and restored", async () => {
  const options = [
    "--slug",
    "Spring",
    "--title",
    "Spring sale",
    "--tag",
    "sale",
    "--tag",
    "print",
    "--utm",
    "source=cli",
  ];
  const created = await tern.json<Link>("links", "create", "https://example.com/spring", ...options);
  expect(created).toMatchObject({
    slug: "Spring",
    title: "Spring sale",
    tags: ["sale", "print"],
    url: "https://example.com/spring?utm_source=cli",
  });
  const { id, shortUrl } = created;
  const withoutScheme = shortUrl.replace("http://", "");
  for (const name of [id, shortUrl, withoutScheme, `${withoutScheme.toLowerCase()}+`, `${shortUrl}/?a=b`, "spring"]) {
    expect(await tern.json("links", "get", name), name).toMatchObject({ id });
  }
  expect(await tern.run(["links", "get", `${shortUrl}-26`])).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining("There is no link with this short URL in this account."),
  });
  const details = await tern.run(["links", "get", "spring"]);
  expect(details.output).toContain(`shortUrl\t${shortUrl}\n`);

  const changes = ["--slug", "summer", "--geo", "DE=https://example.com/de", "--disable", "--clear", "title", "tags"];
  expect(await tern.json("links", "update", "spring", ...changes)).toMatchObject({
    id,
    slug: "summer",
    title: null,
    tags: [],
    disabled: true,
    aliases: ["Spring"],
    geo: { DE: "https://example.com/de" },
  });
  const keptOff = await tern.json("links", "update", "summer", "--no-pass-parameters");
  expect(keptOff).toMatchObject({ passParameters: false });
  expect((await tern.run(["links", "get", "summer"])).output).toContain("passParameters\tno\n");
  expect(await tern.json("links", "update", "summer", "--pass-parameters")).toMatchObject({ passParameters: true });
  const protectedLink = await tern.run(["links", "update", "summer", "--password", "--json"], { input: "tern wind\n" });
  expect(JSON.parse(protectedLink.output)).toMatchObject({ hasPassword: true });
  expect(await tern.run(["links", "update", "summer"])).toMatchObject({ exitCode: 2 });

  expect(await tern.run(["links", "delete", "summer"])).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining("--yes"),
  });
  // No, and Ctrl-D.
  for (const answer of ["n", "\u0004"]) {
    const cancelled = await tern.runInTerminal(["links", "delete", "summer"], {}, [answer]);
    expect(cancelled).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining("Cancelled. Nothing was changed."),
    });
  }
  expect(await tern.json("links", "get", id)).toMatchObject({ id });
  const deleted = await tern.runInTerminal(["links", "delete", "summer"], {}, ["y"]);
  expect(deleted).toMatchObject({ exitCode: 0, output: expect.stringContaining(`tern links restore ${id}`) });
  expect(await tern.run(["links", "get", "summer"])).toMatchObject({ exitCode: 1, output: "" });
  expect(await tern.run(["links", "list", "--deleted"])).toMatchObject({
    output: expect.stringMatching(`summer\t${id}\t\\d{4}-`),
  });
  expect(await tern.json("links", "restore", id)).toMatchObject({ id });
  expect(await tern.run(["links", "restore", "summer"])).toMatchObject({ exitCode: 2 });
  expect(await tern.json("links", "delete", id, "--yes")).toEqual([{ id, shortUrl: `${url}/summer`, deleted: true }]);
});

test("links are deleted although one fails and nobody reads the output", async () => {
  const user = await installation.newTern();
  for (const slug of ["one", "two", "three", "four", "five"]) {
    await user.json("links", "create", "https://example.com/", "--slug", slug);
  }
  const partial = await user.run(["links", "delete", "one", "one", "two", "--yes", "--json"]);
  expect(partial.exitCode).toBe(1);
  expect(JSON.parse(partial.output)).toMatchObject([
    { shortUrl: `${url}/one`, deleted: true },
    { shortUrl: `${url}/one`, deleted: false, code: "not_found" },
    { shortUrl: `${url}/two`, deleted: true },
  ]);
  expect(JSON.parse(partial.errors)).toMatchObject({ error: "1 link of 3 could not be deleted.", code: "failed" });
  const unread = await user.runShell("tern links delete three four five --yes | head -n 1");
  expect(unread).toMatchObject({ exitCode: 0, output: expect.stringContaining("/three"), errors: "" });
  expect(await user.json("links", "list")).toEqual([]);
});

test("a slug that several domains have is no name of a link", async () => {
  const user = await installation.newTern();
  await user.json("domains", "add", "cli.acme.com");
  await user.json("domains", "verify", "cli.acme.com");
  await user.json("links", "create", "https://example.com/1", "--slug", "twice");
  const other = await user.json<Link>(
    "links",
    "create",
    "https://example.com/2",
    "--slug",
    "twice",
    "--domain",
    "cli.acme.com",
  );
  expect(await user.run(["links", "get", "twice"])).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining("https://cli.acme.com/twice"),
  });
  expect(await user.json("links", "get", "cli.acme.com/twice")).toEqual(other);

  const [{ id } = { id: "" }] = await user.json<{ id: string }[]>("domains", "list");
  expect(await user.json("domains", "update", id, "--nested-slugs")).toMatchObject({ nestedSlugs: true });
  const nested = await user.json<Link>("links", "update", "cli.acme.com/twice", "--slug", "docs/setup");
  for (const name of ["docs/setup", "cli.acme.com/docs/setup"])
    expect(await user.json("links", "get", name)).toEqual(nested);
  expect(await user.run(["links", "get", "docs/other"])).toMatchObject({ exitCode: 1 });
});

test("lists are filtered and sorted, and are tables in a terminal and tabs in a pipe", async () => {
  const user = await installation.newTern();
  for (const number of [1, 2, 3]) {
    await user.json(
      "links",
      "create",
      `https://example.com/${number}`,
      "--slug",
      `listed-${number}`,
      "--tag",
      `t${number}`,
    );
  }
  const slugs = async (...options: string[]) =>
    (await user.json<Link[]>("links", "list", ...options)).map(({ slug }) => slug);
  expect(await slugs()).toEqual(["listed-3", "listed-2", "listed-1"]);
  expect(await slugs("--tag", "t1", "--tag", "t3", "--order", "asc")).toEqual(["listed-1", "listed-3"]);
  expect(await slugs("--all", "--search", "listed-2")).toEqual(["listed-2"]);
  const two = await user.run(["links", "list", "--limit", "2"]);
  expect(installation.front.requests.at(-1)).toBe("GET /api/links?limit=3");
  expect(two.errors).toContain("--all");
  expect(two.output.split("\n").map((line) => line.split("\t")[0])).toEqual([`${url}/listed-3`, `${url}/listed-2`, ""]);
  expect(two.output).toMatch(/\t0\tactive\t\d{4}-\d\d-\d\dT[\d:.]+Z\thttps:\/\/example\.com\/3\n/);

  const table = await user.runInTerminal(["links", "list"]);
  expect(table.output).toContain("SHORT URL");
  expect(table.output).toContain("\u001B[32m");
  const plain = await user.runInTerminal(["links", "list"], { NO_COLOR: "1" });
  expect(plain.output).toContain("listed-3");
  expect(plain.output).not.toContain("\u001B[");
  for (const line of plain.output.split("\r\n")) expect(line.length).toBeLessThanOrEqual(80);
});

test("links are listed by the keys that created them", async () => {
  const user = await installation.newTern();
  const own = await user.json<Link>("links", "create", "https://example.com/", "--slug", "by-one");
  const { output: value } = await user.run(["keys", "create", "Robot"]);
  const robot = new Tern({ TERN_API_KEY: value.trim(), TERN_BASE_URL: url });
  const other = await robot.json<Link>("links", "create", "https://example.com/", "--slug", "by-two");
  const slugs = async (...creators: string[]) => {
    const options = creators.flatMap((creator) => ["--created-by", creator]);
    return (await user.json<Link[]>("links", "list", ...options)).map(({ slug }) => slug);
  };
  const [one, two] = [own.createdBy?.id ?? "", other.createdBy?.id ?? ""];
  expect(await slugs(one)).toEqual(["by-one"]);
  expect(await slugs(`!${one}`)).toEqual(["by-two"]);
  expect(await slugs(one, two)).toEqual(["by-two", "by-one"]);
  expect(await slugs("me")).toEqual(["by-one"]);
  expect(await user.run(["links", "list", "--created-by", "you"])).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining("createdBy: "),
  });
  expect((await user.run(["links", "get", "by-two"])).output).toContain(`createdBy\tkey ${two}\n`);
});

test("links are listed by their verdict, which their status says", async () => {
  const user = await installation.newTern();
  await user.json("links", "create", "https://example.com/", "--slug", "healthy");
  const { id } = await user.json<Link>("links", "create", "https://example.com/", "--slug", "held");
  const blocked = packVerdict({ state: "blocked", reason: "phishing", since: null }, false);
  await installation.service.db.prepare("UPDATE links SET verdict = ?1 WHERE id = ?2").bind(blocked, id).run();
  expect((await user.run(["links", "list", "--verdict", "blocked"])).output).toMatch(/\/held\t0\tblocked\t[^\n]*\n$/);
  expect((await user.run(["links", "list"])).output).toMatch(/\/held\t0\tblocked\t.*\n.*\/healthy\t0\tactive\t/);
  expect((await user.run(["links", "get", "held"])).output).toContain("visitors\tpage\n");
  expect((await user.run(["links", "get", "healthy"])).output).not.toContain("visitors");
});

test("a text of a link cannot change the terminal", async () => {
  const user = await installation.newTern();
  await user.run(["api", "POST", "/api/links", "url=https://example.com/", "slug=hostile", 'externalId:="a\u202E b"']);
  const { output } = await user.run(["links", "get", "hostile"]);
  expect(output).toContain("externalId\ta b\n");
  const asJson = await user.run(["links", "get", "hostile", "--json"]);
  expect(asJson.output).toContain(String.raw`a\u202e b`);
  expect(JSON.parse(asJson.output)).toMatchObject({ externalId: "a\u202E b" });
});

test("clicks are a chart in a terminal, tabs in a pipe, and whole as JSON", async () => {
  await tern.json("links", "create", "https://example.com/", "--slug", "clicked");
  for (let visits = 0; visits < 3; visits++)
    await installation.here.get("/clicked", { "User-Agent": "Mozilla/5.0 Firefox/140.0" });
  await until(async () => (await tern.json<Clicks>("clicks", "clicked")).total === 3);
  const week = await tern.run(["clicks", "clicked", "--interval", "7d"]);
  const rows = week.output.trim().split("\n");
  expect(rows).toHaveLength(7);
  expect(rows.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z\t3\t\d$/);
  const chart = await tern.runInTerminal(["clicks", "clicked", "--interval", "7d"]);
  expect(chart.output).toMatch(/3 clicks.*visitor/);
  expect(chart.output).toContain("█");
  expect(chart.output).toContain("DEVICES");
  expect(await tern.json<Clicks>("clicks", "--tag", "no-such-tag")).toMatchObject({ total: 0, links: [] });
  expect(await tern.run(["clicks", "clicked", "--interval", "2d"])).toMatchObject({ exitCode: 2 });
});
