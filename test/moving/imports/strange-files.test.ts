import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Link } from "../../../src/links/contract.ts";
import { call, createAccount, jsonOf } from "../../support/api.ts";
import { URL_OK } from "../../links/support.ts";
import { csvOf, finish, prepare, problemsOf } from "./support.ts";
import files from "./cases/strange-files.json" with { type: "json" };

async function linksOf(key: string): Promise<Map<string, Link>> {
  const path = "/api/links?archived=include&limit=100";
  const { links } = await jsonOf<{ links: Link[] }>(await call("GET", path, { key }));
  return new Map(links.map((link) => [link.slug, link]));
}

/** Imports the file, and checks that no row has disappeared. */
async function importFile(file: BodyInit) {
  const { key } = await createAccount();
  const ready = await prepare(key, file);
  expect(ready.status).toBe("ready");
  const { created, skipped, failed } = ready.expected;
  expect(created + skipped + failed).toBe(ready.rows);
  const done = await finish(key, ready.id);
  expect(done).toMatchObject({ status: "done", ...ready.expected });
  return { key, ready, done, links: await linksOf(key) };
}

describe("an import of a file of another program", () => {
  it.each(files.quotes)(
    "reads each row of a file with tabs that quotes nothing (%#)",
    async ({ file, rows, titles }) => {
      const { ready, done, links } = await importFile(file);
      expect([ready.rows, done.created, done.failed]).toEqual([rows, rows, 0]);
      const found = [...links.values()].toSorted((a, b) => a.slug.localeCompare(b.slug)).map(({ title }) => title);
      expect(found).toEqual(titles);
    },
  );

  it("names a quotation mark that takes in rows, and gives all of them back", async () => {
    const file = [
      "url,slug,title",
      "https://example.com/1,q1,A",
      'https://example.com/2,q2,"open',
      "https://example.com/3,q3,C",
      "only, two",
      'https://example.com/4,q4,closed"',
      "https://example.com/5,q5,E",
      "",
    ].join("\n");
    const { key, ready, links } = await importFile(file);
    expect(ready).toMatchObject({ rows: 3, expected: { created: 2, skipped: 0, failed: 1 } });
    expect(ready.problems).toMatchObject([{ kind: "taken_in", count: 1, line: 3 }]);
    expect([...links.keys()].toSorted()).toEqual(["q1", "q5"]);
    const response = await call("GET", `/api/imports/${ready.id}/failures`, { key });
    const list = await response.text();
    for (const slug of ["q2", "q3", "q4"]) expect(list).toContain(`,${slug},`);
  });

  it("names an object that has a key twice, and gives all values back", async () => {
    const objects = [
      '{"url":"https://example.com/1","title":"one"}',
      '{"url":"https://example.com/2","slug":"two","url":"https://example.com/lost"}',
      String.raw`{"url":"https://example.com/3","slug":"three","geo":{"DE":"https://example.com/de","\u0044E":"https://example.com/d"}}`,
      '{"url":"https://example.com/4","slug":"four","tags":["url","url"],"geo":{"url":"x"},"url (2)":"y","url":"z"}',
    ];
    for (const file of [`[${objects.join(",")}]`, `{"links":[${objects.join(",")}]}`, objects.join("\n")]) {
      const { key, ready, links } = await importFile(file);
      expect(ready.expected).toEqual({ created: 1, skipped: 0, failed: 3 });
      expect(ready.problems).toEqual([{ kind: "repeated_key", count: 3, line: 2, example: "url" }]);
      expect([...links.values()].map(({ url }) => url)).toEqual(["https://example.com/1"]);
      const list = await (await call("GET", `/api/imports/${ready.id}/failures`, { key })).text();
      for (const value of ["/2", "/lost", "/de", "/d"]) expect(list).toContain(`https://example.com${value}`);
      expect(list.split("\r\n")[0]).toContain("url (2),");
      expect(list).toContain(",repeated_cell_name,");
    }
    const cell = await importFile(
      csvOf(
        ["url", "geo"],
        ["https://example.com/1", '{"DE":"https://a.dev/","DE":"https://b.dev/"}'],
        ["https://example.com/2", ""],
      ),
    );
    expect(cell.ready.problems).toEqual([{ kind: "repeated_key", count: 1, line: 2, example: "geo: DE" }]);
  });

  it.each(files.flags)("reads yes and no in the language of the file (%#)", async ({ file, expected }) => {
    const { ready, links } = await importFile(file);
    expect(problemsOf(ready)).not.toHaveProperty("unknown_word");
    for (const wanted of expected) {
      const {
        slug,
        imported = true,
        problems,
        ...fields
      } = wanted as { slug: string; imported?: boolean; problems?: [] };
      expect(links.has(slug), slug).toBe(imported);
      if (imported) expect(links.get(slug)).toMatchObject(fields);
      if (problems !== undefined) expect(problemsOf(ready)).toEqual({ new_tag: 1 });
    }
  });

  it("names a word that is neither yes nor no with its row and column, and imports nothing for it", async () => {
    const file =
      "url,slug,Is archived,banned\nhttps://example.com/1,w1,vielleicht,no\nhttps://example.com/2,w2,nein,\n";
    const { key, ready, links } = await importFile(file);
    expect(ready.problems).toEqual([{ kind: "unknown_word", count: 1, line: 2, example: "Is archived: vielleicht" }]);
    expect([...links.keys()]).toEqual(["w2"]);
    const response = await call("GET", `/api/imports/${ready.id}/failures`, { key });
    expect(await response.text()).toContain('archived says ""vielleicht"", which is neither yes nor no');
  });

  it("keeps visitors' parameters off only where the file says no", async () => {
    const cells = { yes: "true", word: "WAHR", empty: "", missing: "NULL", no: "false", nein: "nein", never: "never" };
    for (const name of ["passParameters", "Forward Query"]) {
      const rows = Object.entries(cells).map(([word, cell]) => [URL_OK, `${name.slice(0, 4)}-${word}`, cell]);
      const { ready, links } = await importFile(csvOf(["url", "slug", name], ...rows));
      expect(ready.mapping).toMatchObject({ [name]: "passParameters" });
      const kept = [...links.values()].filter(({ passParameters }) => !passParameters).map(({ slug }) => slug.slice(5));
      expect(kept.toSorted()).toEqual(["nein", "never", "no"]);
    }
    const { ready } = await importFile(csvOf(["url", "slug", "passParameters"], [URL_OK, "odd", "perhaps"]));
    expect(ready).toMatchObject({ expected: { created: 0, failed: 1 }, problems: [{ kind: "unknown_word" }] });
  });

  it.each(files.nothing)("takes words for nothing as nothing (%#)", async ({ file, expected }) => {
    const { links } = await importFile(file);
    const { slug, imported: _, ...fields } = expected as { slug: string; imported?: boolean; tags?: null };
    const names: Record<string, string> = { "expires at": "expiresAt", "max clicks": "maxClicks" };
    for (const [name, value] of Object.entries(fields))
      expect(links.get(slug)?.[(names[name] ?? name) as keyof Link]).toEqual(name === "tags" ? [] : value);
  });

  it.each(files.separators)("takes the line sep= for no row (%#)", async ({ file, encoding, columns, rows }) => {
    const isUtf16 = encoding === "utf-16le";
    const units = Uint16Array.from({ length: file.length }, (_, index) => file.charCodeAt(index));
    const { ready, links } = await importFile(isUtf16 ? new Uint8Array(units.buffer) : file);
    expect(ready).toMatchObject({ columns, rows, sample: [{ line: 3 }], problems: [] });
    expect([...links.values()]).toMatchObject([{ title: "A title" }]);
  });

  it("gives failures back in a file that says its delimiter again", async () => {
    const { key, ready } = await importFile("sep=^\nurl^slug\nftp://example.com/1^c1\nhttps://example.com/2^c2\n");
    const response = await call("GET", `/api/imports/${ready.id}/failures`, { key });
    const list = (await response.text()).replace("ftp:", "https:");
    const again = await importFile(list);
    expect(again.ready).toMatchObject({ rows: 1, columns: ["line", "reason", "fault", "url", "slug"], problems: [] });
    expect([...again.links.keys()]).toEqual(["c1"]);
  });

  it("reads the file of Redirection for WordPress, and leaves patterns out", async () => {
    const { ready, done, links } = await importFile(files.redirection);
    expect(ready.source).toBe("redirection");
    expect(problemsOf(ready)).toEqual({ pattern: 1 });
    expect(done).toMatchObject({ created: 2, skipped: 1, failed: 0 });
    expect(links.get("old1")).toMatchObject({ redirectStatus: 301, title: 'Moved "page"', importedClicks: 12 });
    expect(links.get("promo")).toMatchObject({ redirectStatus: 307 });
  });

  it("names a column that looks like slugs and is not imported", async () => {
    const file =
      "Address on the web;URL;Country\nspring-sale;https://example.com/1;DE\nautumn;https://example.com/2;DE\n";
    const { ready } = await importFile(file);
    expect(ready.problems).toEqual([
      { kind: "unused_slugs", count: 2, line: 2, example: "Address on the web: spring-sale" },
    ]);
  });

  it("names a word for the state that it does not know", async () => {
    const { ready, links } = await importFile(
      "url,slug,status\nhttps://example.com/1,s1,gelöscht\nhttps://example.com/2,s2,??\n",
    );
    expect(problemsOf(ready)).toEqual({ dead: 1, unknown_status: 1 });
    expect([...links.keys()]).toEqual(["s2"]);
  });

  it("makes of each row one that is created, left out or failed, in any file", async () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.constantFrom('"', '"a', 'b"', '""', '"x\ny"', "NULL", "\\N", "yes", "FALSCH", "maybe", "gone", "a,b", "1,000"),
    );
    const row = fc.tuple(
      fc.constantFrom("https://example.com/1", "https://example.com/?a=1,2", "ftp://x", ""),
      fc.array(cell, { maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(",", ";", "\t", "|"),
        fc.constantFrom("\r\n", "\n", "\r"),
        fc.constantFrom("", "\u{FEFF}"),
        fc.boolean(),
        async (table, delimiter, newLine, bom, hasLine) => {
          const header = ["url", "slug", "title", "archived", "expires at"];
          const lines = [header, ...table.map(([url, rest], n) => [url, rest[0] ?? `p${n}`, ...rest.slice(1)])];
          const text = lines.map((cells) => cells.join(delimiter)).join(newLine);
          const { key } = await createAccount();
          const ready = await prepare(key, `${bom}${hasLine ? `sep=${delimiter}${newLine}` : ""}${text}${newLine}`);
          if (ready.status === "failed") {
            expect(ready.fault?.code).toBeOneOf(["file_open_quote", "file_without_links"]);
            return;
          }
          const { created, skipped, failed } = ready.expected;
          expect(created + skipped + failed).toBe(ready.rows);
          const done = await finish(key, ready.id);
          expect(done.created + done.skipped + done.failed).toBe(ready.rows);
          expect(done).toMatchObject({ created, skipped, failed });
        },
      ),
      { numRuns: 20 },
    );
  });
});

it("reads a quoted table as a spreadsheet writes it, with line ends in cells, whatever its delimiter is", async () => {
  for (const [n, delimiter] of [",", ";", "\t", "|"].entries()) {
    const rows = [
      ["https://example.com/1", `m${n}`, "two\nlines, and; more\tof|it"],
      ["https://example.com/2", `n${n}`, 'he said "no"'],
    ];
    const file = csvOf(["url", "slug", "title"], ...rows).replaceAll('","', `"${delimiter}"`);
    const { links } = await importFile(file);
    expect(links.get(`m${n}`)?.title).toBe("two lines, and; more of|it");
    expect(links.get(`n${n}`)?.title).toBe('he said "no"');
  }
});
