import { beforeEach, expect, it } from "vitest";
import { DAY_MS, MAX_ACTIVE_KEYS_PER_ACCOUNT } from "../../src/limits.ts";
import type { Link } from "../../src/links/contract.ts";
import { addKey } from "../support/api.ts";
import { accountId, key, service, START, startService } from "../webhooks/support.ts";
import { api, change, listen, storedEvents } from "./races-support.ts";

beforeEach(startService);

/** As many as an account can have. */
async function allKeys(): Promise<string[]> {
  const others = Array.from({ length: MAX_ACTIVE_KEYS_PER_ACCOUNT - 1 }, async () => (await addKey(accountId)).key);
  return [key, ...(await Promise.all(others))];
}

const URL_OK = "https://example.com/";

const FIELDS: Partial<Link>[] = [
  { title: "New" },
  { disabled: true },
  { archived: true },
  { startsAt: START },
  { expiresAt: START + DAY_MS },
  { expiredUrl: `${URL_OK}expired` },
  { maxClicks: 10 },
  { ios: `${URL_OK}ios` },
  { android: `${URL_OK}android` },
  { geo: { DE: `${URL_OK}de` } },
  { preview: { title: "Preview", description: null, image: null } },
  { redirectStatus: 307 },
  { passParameters: false },
  { externalId: "own" },
  { slug: "new" },
];

interface Field {
  /** Sends the change. */
  set: (key: string, id: string) => Promise<{ status: number }>;
  isIn: (link: Link) => boolean;
}

const ofFields = FIELDS.map((fields): Field => {
  const [[name, value] = []] = Object.entries(fields);
  return {
    set: (by, id) => change(by, id, fields),
    isIn: (link) => JSON.stringify(link[name as keyof Link]) === JSON.stringify(value),
  };
});

const ofCampaign = ["source", "medium", "campaign", "term", "content"].map((name): Field => ({
  set: (by, id) => change(by, id, { utm: { [name]: "x" } }),
  isIn: ({ url }) => new URL(url).searchParams.get(`utm_${name}`) === "x",
}));

const ofTags = Array.from({ length: 18 }, (_, n): Field => ({
  set: (by, id) => api(by, "PATCH", "/api/links/bulk", { ids: [id], changes: { addTags: [`tag-${n}`] } }),
  isIn: ({ tags }) => tags.includes(`tag-${n}`),
}));

const others: Field[] = [
  { set: (by, id) => change(by, id, { password: "correct horse" }), isIn: ({ hasPassword }) => hasPassword },
  {
    set: (by, id) => change(by, id, { rules: [{ countries: ["FR"], url: `${URL_OK}fr` }] }),
    isIn: ({ rules }) => rules.length === 1,
  },
];

it("applies 40 changes of different fields of a link at once, one after the other", async () => {
  const { id, updatedAt } = await service.createLink(key, { slug: "raced" });
  await listen(key);
  const keys = await allKeys();
  const fields = [...ofFields, ...ofCampaign, ...ofTags, ...others];
  expect(fields).toHaveLength(40);
  const answers = await Promise.all(fields.map(({ set }, n) => set(keys[n % keys.length] as string, id)));
  expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 200));

  const { link } = await api(key, "GET", `/api/links/${id}`);
  expect(fields.filter(({ isIn }) => !isIn(link))).toEqual([]);
  expect(link.aliases).toEqual(["raced"]);
  const events = await storedEvents();
  expect(events.map(({ data }) => data.updatedAt)).toEqual(fields.map((_, n) => updatedAt + 1 + n));
  let held: Field[] = [];
  for (const { data } of events) {
    const now = fields.filter(({ isIn }) => isIn(data));
    expect(now).toHaveLength(held.length + 1);
    expect(now).toEqual(expect.arrayContaining(held));
    held = now;
  }
  expect(events.at(-1)?.data).toEqual(link);
});

it("applies or refuses each of 40 changes of the same field of a link at once", async () => {
  const { id, updatedAt } = await service.createLink(key);
  await listen(key);
  const keys = await allKeys();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => change(keys[n % keys.length] as string, id, { title: `Title ${n}` })),
  );
  const applied = answers.filter(({ status }) => status === 200).map(({ link }) => link);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(applied.length).toBeGreaterThan(0);
  for (const answer of refused) expect(answer).toMatchObject({ status: 409, details: [{ code: "changed_meanwhile" }] });
  for (const [n, { status, link }] of answers.entries()) if (status === 200) expect(link.title).toBe(`Title ${n}`);

  const inOrder = applied.toSorted((a, b) => a.updatedAt - b.updatedAt);
  expect(inOrder.map((link) => link.updatedAt)).toEqual(inOrder.map((_, n) => updatedAt + 1 + n));
  expect((await storedEvents()).map(({ data }) => data)).toEqual(inOrder);
  expect((await api(key, "GET", `/api/links/${id}`)).link).toEqual(inOrder.at(-1));
});
