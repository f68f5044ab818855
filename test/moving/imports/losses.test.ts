import { describe, expect, it } from "vitest";
import { createAccount, createLink } from "../../support/api.ts";
import { configure, csvOf, failuresOf, finish, prepare, problemsOf, storedLinks } from "./support.ts";

describe("an import", () => {
  it("tells what the links lost, and says of no other link that it was imported", async () => {
    const { key, accountId } = await createAccount();
    await createLink(key, { url: "https://example.com/mine", slug: "mine" });
    await createLink(key, { url: "https://example.com/theirs", slug: "theirs" });
    const rows = [
      ["https://x.dev/AbC", "https://x.dev/sale", "https://example.com/1", ""],
      ["https://x.dev/aBc", "https://x.dev/fall", "https://example.com/2", "yes"],
      ["https://x.dev/FALL", "https://x.dev/winter", "https://example.com/3", ""],
      ["https://x.dev/m", "https://x.dev/mine", "https://example.com/4", "yes"],
      ["https://x.dev/THEIRS", "https://x.dev/mine2", "https://example.com/5", ""],
    ];
    const ready = await prepare(key, csvOf(["other", "short url", "url", "password"], ...rows));
    const configured = await configure(key, ready.id, { mapping: { other: "aliasUrl" } });
    expect(problemsOf(configured)).toEqual({ foreign_domain: 5, password: 2, taken: 1, alias: 3 });
    expect(await finish(key, ready.id)).toMatchObject({ created: 4, skipped: 1, failed: 0 });
    expect((await failuresOf(key, ready.id)).slice(1).map((line) => line.slice(0, 30))).toEqual([
      '3,"Imported without its passwo',
      '4,"Imported, but not all of it',
      "5,Skipped: the slug mine is ta",
      '6,"Imported, but not all of it',
    ]);
    const slugs = (await storedLinks(accountId)).map(({ slug, aliases }) => [slug, aliases]);
    expect(slugs).toEqual(
      expect.arrayContaining([
        ["sale", '["AbC"]'],
        ["fall", null],
        ["winter", null],
      ]),
    );
  });

  it("goes by the hosts of the file, whatever their names are and in any case", async () => {
    const { key } = await createAccount();
    const rows = ["https://constructor/one", "https://x.dev/two"].map((url, n) => [`https://example.com/${n}`, url]);
    const ready = await prepare(key, csvOf(["url", "short url"], ...rows));
    const configured = await configure(key, ready.id, { domains: { "X.dev": "skip" } });
    expect(configured).toMatchObject({
      status: "ready",
      domains: { "x.dev": "skip" },
      hosts: [
        { host: "constructor", domain: "tern.test" },
        { host: "x.dev", domain: null },
      ],
    });
    expect(await finish(key, ready.id)).toMatchObject({ created: 1, skipped: 1 });
  });
});
