import { describe, expect, it } from "vitest";
import { fnv1a } from "../../src/platform/lib/fnv1a.ts";
import { toTagKeys } from "../../src/platform/lib/tag-key.ts";
import type { Accepted } from "../../src/links/decide.ts";
import { MAX_ALIASES_PER_LINK } from "../../src/limits.ts";
import { ANONYMOUS, namesOf, run, VERIFIED, type Given } from "./decide-support.ts";
import { DOMAIN, SOME_ID, URL_OK } from "./support.ts";

const other = { url: "https://example.com/other", url_hash: fnv1a("https://example.com/other") };
const tagged = { tags: '["a"]', tag_keys: toTagKeys(["a"]) };

/** A change, and the columns that get other values. */
const ACCEPTED: [name: string, given: Given, columns: Accepted["columns"]][] = [
  ["nothing", {}, {}],
  ["values that the link has", { row: { title: "t" }, fields: { title: "t", url: URL_OK, disabled: false } }, {}],
  ["one of two values", { row: { title: "t" }, fields: { title: "t", disabled: true } }, { disabled: 1 }],
  ["a value in place of none", { fields: { title: "t" } }, { title: "t" }],
  ["no value in place of one", { row: { expires_at: 9 }, fields: { expiresAt: null } }, { expires_at: null }],
  ["a destination", { fields: { url: other.url } }, other],
  [
    "a campaign",
    { fields: { utm: { source: "mail" } } },
    { url: `${URL_OK}?utm_source=mail`, url_hash: fnv1a(`${URL_OK}?utm_source=mail`) },
  ],
  ["a tag that the link has in another case", { row: tagged, change: { tags: { addTags: ["A"] } } }, {}],
  ["a tag", { change: { tags: { addTags: ["a"] } } }, tagged],
  ["the last tag", { row: tagged, change: { tags: { removeTags: ["A"] } } }, { tags: null, tag_keys: null }],
  ["the password that it has", { row: { password_hash: "h" }, facts: { passwordHash: "h" } }, {}],
  ["a password", { row: { password_hash: "h" }, facts: { passwordHash: "i" } }, { password_hash: "i" }],
  ["no password", { row: { password_hash: "h" }, fields: { password: null } }, { password_hash: null }],
  ["columns of its own", { change: { columnsById: new Map([[SOME_ID, { title: "own" }]]) } }, { title: "own" }],
  ["columns of another link", { change: { columnsById: new Map([["another", { title: "own" }]]) } }, {}],
  ["a slug", { fields: { slug: "new" } }, { slug: "new", aliases: '["mine"]' }],
  ["its own slug", { fields: { slug: "mine" } }, {}],
  ["its slug in another case", { fields: { slug: "Mine" } }, { slug: "Mine" }],
  [
    "its slug in another case, where case counts",
    { row: { domain: DOMAIN, case_sensitive: 1 }, fields: { slug: "Mine" } },
    { slug: "Mine", aliases: '["mine"]' },
  ],
  [
    "a slug, of a link with aliases",
    { row: { aliases: '["old"]' }, fields: { slug: "new" } },
    { slug: "new", aliases: '["old","mine"]' },
  ],
  [
    "one of its aliases as the slug",
    { row: { aliases: '["old","older"]' }, fields: { slug: "OLD" } },
    { slug: "OLD", aliases: '["older","mine"]' },
  ],
  [
    "another case of an alias as the slug, where case counts",
    { row: { domain: DOMAIN, case_sensitive: 1, aliases: '["old"]' }, fields: { slug: "OLD" } },
    { slug: "OLD", aliases: '["old","mine"]' },
  ],
  ["all aliases", { row: { aliases: '["old","older"]' }, fields: { aliases: ["OLD", "older"] } }, {}],
  ["one alias less", { row: { aliases: '["old","older"]' }, fields: { aliases: ["Older"] } }, { aliases: '["older"]' }],
  ["no alias", { row: { aliases: '["old"]' }, fields: { aliases: [] } }, { aliases: null }],
  ["a slug without the former one", { fields: { slug: "new", aliases: [] } }, { slug: "new" }],
  [
    "a slug with the former one instead of an alias",
    { row: { aliases: '["old"]' }, fields: { slug: "new", aliases: ["mine"] } },
    { slug: "new", aliases: '["mine"]' },
  ],
  [
    "a slug in place of an alias, of a link with the most aliases",
    {
      row: { aliases: JSON.stringify(namesOf("old", MAX_ALIASES_PER_LINK)) },
      fields: { slug: "new", aliases: namesOf("old", MAX_ALIASES_PER_LINK).with(0, "mine") },
    },
    { slug: "new", aliases: JSON.stringify([...namesOf("old", MAX_ALIASES_PER_LINK).slice(1), "mine"]) },
  ],
  ["a domain", { facts: { domain: VERIFIED }, change: { domain: DOMAIN } }, { domain: DOMAIN }],
  [
    "a domain and a slug",
    { facts: { domain: VERIFIED }, fields: { slug: "new" }, change: { domain: DOMAIN } },
    { domain: DOMAIN, slug: "new" },
  ],
  [
    "a domain without its aliases",
    { row: { aliases: '["old"]' }, facts: { domain: VERIFIED }, fields: { aliases: [] }, change: { domain: DOMAIN } },
    { domain: DOMAIN, aliases: null },
  ],
  [
    "a domain where case counts",
    { facts: { domain: { ...VERIFIED, caseSensitive: 1 } }, change: { domain: DOMAIN } },
    { domain: DOMAIN, case_sensitive: 1 },
  ],
  [
    "the service's domain, from one where case counts",
    { row: { domain: DOMAIN, case_sensitive: 1 }, change: { domain: "" } },
    { domain: "", case_sensitive: 0 },
  ],
  [
    "a nested slug where they are on",
    {
      row: { domain: DOMAIN },
      facts: { domain: { ...VERIFIED, hasNestedSlugs: true } },
      fields: { slug: "a/b" },
    },
    { slug: "a/b", aliases: '["mine"]' },
  ],
  [
    "the nested slug that it has where they are off",
    { row: { domain: DOMAIN, slug: "a/b" }, fields: { slug: "a/b" } },
    {},
  ],
  [
    "a reserved slug at a custom domain",
    { row: { domain: DOMAIN }, fields: { slug: "login" } },
    { slug: "login", aliases: '["mine"]' },
  ],
  ["a title, of a link with a reserved slug", { row: { slug: "api" }, fields: { title: "t" } }, { title: "t" }],
  [
    "another case of the slug at the anonymous host",
    { row: { domain: ANONYMOUS }, fields: { slug: "MINE" } },
    { slug: "MINE" },
  ],
  ["a title of a link whose domain is lost", { row: { domain: DOMAIN }, fields: { title: "t" } }, { title: "t" }],
];

describe("an accepted change", () => {
  it.each(ACCEPTED)("%s", (_, given, columns) => {
    expect(run(given)).toEqual({ ok: true, columns, takesSlug: false });
  });

  it("takes a slug from the previous owner of a domain, and of no other domain", () => {
    const facts = { domain: VERIFIED, holder: "other" } as const;
    const moved = run({ facts, change: { domain: DOMAIN } });
    expect(moved).toEqual({ ok: true, columns: { domain: DOMAIN }, takesSlug: true });
    const renamed = run({ row: { domain: DOMAIN }, facts, fields: { slug: "new" } });
    expect(renamed).toEqual({ ok: true, columns: { slug: "new", aliases: '["mine"]' }, takesSlug: true });
    const refused: Given[] = [
      { row: { domain: DOMAIN }, facts: { ...facts, holder: "own" }, fields: { slug: "new" } },
      {
        row: { domain: DOMAIN },
        facts: { ...facts, domain: { ...VERIFIED, isVerified: false } },
        fields: { slug: "new" },
      },
      { row: { domain: DOMAIN }, facts: { ...facts, domain: null }, fields: { slug: "new" } },
      { facts: { ...facts, domain: null }, fields: { slug: "new" } },
    ];
    for (const given of refused) expect(run(given)).toMatchObject({ ok: false, reason: "slug_taken" });
  });
});
