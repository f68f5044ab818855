import { describe, expect, it } from "vitest";
import { call, createAccount, createLink } from "../../support/api.ts";
import { csvOf, finish, prepare, problemsOf, storedLinks } from "./support.ts";

async function listOf(key: string, id: string): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
    await (await call("GET", `/api/imports/${id}/failures`, { key })).arrayBuffer(),
  );
}

const targets = (links: Record<string, unknown>[]) => links.map(({ url }) => url);

describe("the list of failures", () => {
  it("has the rows of the file byte for byte, and imports none of them as another link", async () => {
    const { key, accountId } = await createAccount();
    const rows = [
      "https://maps.example/?a=1,22,good\n",
      '"not a url" ,  "x ""y""",=1+1\r\n',
      "https://example.com/fine,fine,Fine\n",
      'javascript:alert(1),"two\r\nlines", \u{2028}é\r\n',
      "https://maps.example/?a=1,2,3,last",
    ];
    const header = '"url", slug \n';
    const file = `\u{FEFF}${header}${rows.join("")}`.replace(",fine,Fine", ",fine");
    const ready = await prepare(key, file);
    expect(await finish(key, ready.id)).toMatchObject({ created: 1, failed: 4 });
    const list = await listOf(key, ready.id);
    expect(list.startsWith(`\u{FEFF}line,reason,fault,${header}2,"Not imported: `)).toBe(true);
    expect(list).toContain(`",wrong_cell_count,${rows[0]}3,"`);
    expect(list.endsWith(`,${rows[4]}\n`)).toBe(true);
    for (const index of [1, 3]) expect(list).toContain(`,${rows[index]}`);

    const again = await prepare(key, list);
    expect(again.sample[0]?.cells.slice(3)).toEqual(["https://maps.example/?a=1", "22"]);
    expect(await finish(key, again.id)).toMatchObject({ rows: 4, created: 0, failed: 4 });
    // Its own columns count, and its lines are those of the list.
    const withoutNumbers = (text: string) => text.replaceAll(/^\d+|has \d+ (cells|columns)/gm, "");
    expect(withoutNumbers(await listOf(key, again.id))).toBe(withoutNumbers(list));

    const corrected = list.replace('"not a url" ', "https://example.com/corrected").replace(",=1+1", "");
    const third = await prepare(key, corrected);
    await finish(key, third.id);
    expect(targets(await storedLinks(accountId))).toContain("https://example.com/fine");
    expect(targets(await storedLinks(accountId)).join(" ")).not.toContain("maps.example");
  });

  it("names what links lost, and leaves those out when it is imported itself", async () => {
    const { key, accountId } = await createAccount();
    await createLink(key, { url: "https://example.com/mine", slug: "mine" });
    const header = ["url", "slug", "created", "clicks", "title", "password"];
    const rows = [
      ["https://example.com/1", "", "last tuesday", "many", "x".repeat(400), "yes"],
      ["https://example.com/2", "mine", "", "", "", ""],
      ["https://example.com/3", "", "", "", "", ""],
    ];
    const ready = await prepare(key, csvOf(header, ...rows));
    expect(problemsOf(ready)).toMatchObject({ unreadable_time: 1, unreadable_clicks: 1, shortened: 1, password: 1 });
    expect(await finish(key, ready.id)).toMatchObject({ created: 2, skipped: 1, failed: 0, altered: 1 });
    const list = await listOf(key, ready.id);
    // All that it lost is in the reason, and the first of it is the code.
    expect(list.split("\r\n")[1]).toMatch(/^2,"Imported[^"]*Imported[^"]*Imported[^"]*Imported[^"]*",password,/);
    expect(list.split("\r\n")[2]).toMatch(/,taken,"https:\/\/example.com\/2","mine",/);

    const again = await prepare(key, list);
    expect(again).toMatchObject({ rows: 1, problems: [{ kind: "taken", count: 1 }] });
    const before = (await storedLinks(accountId)).length;
    expect(await finish(key, again.id)).toMatchObject({ created: 0, skipped: 1 });
    expect(await storedLinks(accountId)).toHaveLength(before);
    // Only with the reason, which the person can delete.
    const [first = "", second = ""] = list.split("\r\n");
    const only = await prepare(key, `${first}\r\n${second}\r\n`);
    expect(only).toMatchObject({ status: "failed", fault: { code: "file_of_imported" } });
    const repeated = await prepare(key, `${first}\r\n${second.replace(/"Imported[^"]*"/, "")}\r\n`);
    expect(await finish(key, repeated.id)).toMatchObject({ created: 1 });
  });

  it("has the row of a link that an undo left as it is", async () => {
    const { key, accountId } = await createAccount();
    const rows = Array.from({ length: 600 }, (_, n) => `https://example.com/${n};kept-${n}\n`);
    const ready = await prepare(key, `url;slug\n${rows.join("")}`);
    await finish(key, ready.id);
    const { id } = (await storedLinks(accountId)).find(({ slug }) => slug === "kept-555") as { id: string };
    expect((await call("PATCH", `/api/links/${id}`, { key, body: { title: "Changed" } })).status).toBe(200);
    expect(await finish(key, ready.id, "undo")).toMatchObject({ undone: 599, notUndone: 1 });
    const [, line = ""] = (await listOf(key, ready.id)).split("\n");
    expect(line).toMatch(/^557;Kept [^;]*;changed_since_job;https:\/\/example.com\/555;kept-555$/);
  });

  it("of JSON is a CSV file with a row for each object, whose cells are read as they were", async () => {
    const { key, accountId } = await createAccount();
    const objects = [
      { url: "not a url", title: "=1+1", tags: ["a", "b"] },
      { url: "https://example.com/fine", slug: "from-json" },
    ];
    const ready = await prepare(key, JSON.stringify(objects), { type: "application/json" });
    expect(await finish(key, ready.id)).toMatchObject({ created: 1, failed: 1 });
    const list = await listOf(key, ready.id);
    expect(list.split("\r\n")[0]).toBe("\u{FEFF}object,reason,fault,url,title,tags,slug");
    expect(list).toContain("'=1+1");
    const again = await prepare(key, list);
    await finish(key, again.id);
    const corrected = await prepare(key, (await listOf(key, again.id)).replace("not a url", "https://example.com/ok"));
    expect(await finish(key, corrected.id)).toMatchObject({ created: 1 });
    expect((await storedLinks(accountId)).map(({ title }) => title)).toContain("=1+1");
  });
});
