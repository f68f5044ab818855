import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, SECOND_MS } from "../../src/limits.ts";
import { generateEncryptionKey } from "../../src/platform/lib/encryption.ts";
import { newId } from "../../src/platform/lib/uuid.ts";
import { markLinks } from "../../src/safety/takedowns/store/sweep.ts";
import { raiseClickCounters } from "../../src/links/store/click-counters.ts";
import type { LinkRow } from "../../src/links/store/row.ts";
import { sequenceOf } from "../../src/links/store/sequence.ts";
import { confirmVerdicts } from "../../src/links/store/verdicts.ts";
import { recordPasswordAttack } from "../../src/redirect/lookup/store/links.ts";
import { packVerdict, type Verdict } from "../../src/redirect/verdict.ts";
import { addKey } from "../support/api.ts";
import { guessWith, PASSWORD } from "../support/password.ts";
import { accountId, advance, key, service, START, startService } from "../webhooks/support.ts";
import { api, change, interleave, listen, rowOf, storedEvents, type StoredRow } from "./races-support.ts";

beforeEach(startService);

const WARNED: Verdict = { state: "warned", reason: "phishing", since: START };
const UNTIL = START + SECOND_MS;

/** What writes columns of a link without a new version. */
interface Writer {
  name: string;
  /** The fields of the link. */
  fields?: object;
  /** Comes before the request. */
  prepare?: (id: string) => Promise<unknown> | void;
  write: (id: string) => Promise<unknown>;
  columns: (keyof StoredRow)[];
}

const expiry = { fields: { expiresAt: UNTIL }, prepare: () => advance(2 * SECOND_MS), columns: ["status"] } as const;

const WRITERS: Writer[] = [
  { ...expiry, name: "expiry by the cron", columns: ["status"], write: () => service.cron() },
  {
    ...expiry,
    name: "expiry by a read",
    columns: ["status"],
    write: () => api(key, "GET", "/api/links?status=expired"),
  },
  {
    name: "a visit of a link with a limit",
    fields: { maxClicks: 5 },
    write: () => service.call("GET", "/raced"),
    columns: ["visits"],
  },
  {
    name: "its click counters",
    write: (id) => raiseClickCounters(env.DB, [{ linkId: id, clicks: 7, lastClickedAt: START }]),
    columns: ["clicks", "last_clicked_at"],
  },
  {
    name: "its password under another key",
    fields: { password: PASSWORD },
    write: () =>
      guessWith("/raced", PASSWORD, { ENCRYPTION_KEYS: `${generateEncryptionKey("next")},${env.ENCRYPTION_KEYS}` }),
    columns: ["password_hash"],
  },
  {
    name: "the time of an attack",
    fields: { password: PASSWORD },
    write: async (id) => recordPasswordAttack(env.DB, id, (await rowOf(id)).password_hash ?? "", START),
    columns: ["password_attacked_at"],
  },
  {
    name: "the time of its verdict",
    prepare: (id) =>
      env.DB.prepare("UPDATE links SET verdict = ?1 WHERE id = ?2")
        .bind(packVerdict(WARNED, false, true), id)
        .run(),
    write: (id) => confirmVerdicts(env.DB, new Map([[id, { ...WARNED, since: START + DAY_MS, isAdvisory: true }]])),
    columns: ["verdict"],
  },
  {
    name: "the mark of a host that is taken down",
    write: async (id) => {
      const takedownId = newId(START);
      await env.DB.prepare(
        `INSERT INTO takedowns (id, kind, target, shown, imposed, created_at, created_by)
           VALUES (?1, 'host', 'example.com', 'example.com', ?2, ?3, 'operator')`,
      )
        .bind(takedownId, packVerdict({ ...WARNED, state: "blocked" }, false), START)
        .run();
      await markLinks(env.DB, takedownId, [sequenceOf(id)]);
    },
    columns: ["host_takedowns"],
  },
];

const LATER = START + DAY_MS;

const CHANGES: [fields: Record<string, unknown>, columns: Partial<LinkRow>][] = [
  [{ title: "New" }, { title: "New" }],
  [{ expiresAt: LATER }, { expires_at: LATER }],
  [{ maxClicks: 10 }, { max_clicks: 10 }],
  [{ url: "https://other.example/" }, { url: "https://other.example/" }],
  [{ slug: "renamed" }, { slug: "renamed", aliases: '["raced"]' }],
];

describe.each(WRITERS)("$name between reading and writing", ({ fields, prepare, write, columns, name }) => {
  it.each(CHANGES)("stays with %j", async (changed, changedColumns) => {
    const { id } = await service.createLink(key, { slug: "raced", ...fields });
    await listen(key);
    await prepare?.(id);
    const before = await rowOf(id);
    let between = before;
    const { answer, writes } = await interleave(
      async () => {
        await write(id);
        between = await rowOf(id);
      },
      () => change(key, id, changed),
    );
    for (const column of columns) expect(between[column]).not.toEqual(before[column]);
    expect(between.updated_at).toBe(before.updated_at);
    expect(answer).toMatchObject({ status: 200, link: changed });
    expect(writes).toEqual([1]);

    // A later end makes an expired link active again.
    const isExpiry = name.startsWith("expiry");
    const expected = { ...between, ...changedColumns, ...(isExpiry && "expiresAt" in changed && { status: "active" }) };
    const after = await rowOf(id);
    const { updated_at: version, url_hash, slug_key } = after;
    expect(version).toBeGreaterThan(before.updated_at);
    expect(after).toEqual({ ...expected, updated_at: version, url_hash, slug_key });
    const events = await storedEvents();
    expect(events.map(({ event }) => event)).toEqual(isExpiry ? ["link.expired", "link.update"] : ["link.update"]);
    expect(events.at(-1)?.data).toMatchObject({ ...changed, updatedAt: version });
  });
});

describe("another change between reading and writing", () => {
  it("is kept, and the change is decided again", async () => {
    const { id } = await service.createLink(key, { slug: "raced", tags: ["first"] });
    await listen(key);
    const other = { title: "Other", expiresAt: LATER, slug: "other" };
    const { answer, writes } = await interleave(
      async () => expect((await change((await addKey(accountId)).key, id, other)).status).toBe(200),
      () => change(key, id, { utm: { source: "mail" }, slug: "mine" }),
    );
    const url = "https://example.com/?utm_source=mail";
    const both = { title: "Other", expiresAt: LATER, url, slug: "mine", aliases: ["raced", "other"], tags: ["first"] };
    expect(answer).toMatchObject({ status: 200, link: both });
    expect(writes).toEqual([1, 1]);
    expect((await api(key, "GET", `/api/links/${id}`)).link).toEqual(answer.link);
    const events = await storedEvents();
    expect(events).toMatchObject([{ data: other }, { data: answer.link }]);
    for (const slug of ["raced", "other", "mine"])
      expect((await service.call("GET", `/${slug}`)).headers.get("Location")).toBe(url);
  });

  it("adds tags to those that were added meanwhile", async () => {
    const { id } = await service.createLink(key, { tags: ["first"] });
    const addTags = (tag: string) => api(key, "PATCH", "/api/links/bulk", { ids: [id], changes: { addTags: [tag] } });
    const { answer, writes } = await interleave(
      () => addTags("theirs"),
      () => addTags("mine"),
    );
    expect(answer.results).toMatchObject([{ link: { tags: ["first", "theirs", "mine"] } }]);
    expect(writes).toEqual([1, 1]);
  });

  it("that sets the same values leaves nothing to change", async () => {
    const { id } = await service.createLink(key);
    await listen(key);
    const set = () => change(key, id, { title: "Same" });
    const { answer, writes } = await interleave(set, set);
    expect(answer).toMatchObject({ status: 200, link: { title: "Same" } });
    expect(writes).toEqual([1]);
    expect(await storedEvents()).toMatchObject([{ data: answer.link }]);
  });

  it("refuses what its version or its end does not permit any more", async () => {
    const { id, updatedAt } = await service.createLink(key);
    const etag = { "If-Match": `"${updatedAt}"` };
    await listen(key);
    const first = await interleave(
      () => change(key, id, { title: "Other" }),
      () => change(key, id, { title: "Mine" }, etag),
    );
    expect(first).toMatchObject({ answer: { status: 412 }, writes: [1] });
    const second = await interleave(
      () => change(key, id, { expiresAt: LATER }),
      () => change(key, id, { startsAt: LATER }),
    );
    expect(second.answer).toMatchObject({ status: 400, details: [{ path: "startsAt", code: "not_before" }] });
    const third = await interleave(
      () => api(key, "DELETE", `/api/links/${id}`),
      () => change(key, id, { title: "Mine" }),
    );
    expect(third.answer).toMatchObject({ status: 404 });
    expect((await storedEvents()).map(({ data }) => [data.title, data.expiresAt])).toEqual([
      ["Other", null],
      ["Other", LATER],
    ]);
  });

  it.each([0, SECOND_MS])("in the same millisecond gets a version of its own, %i ms after the last one", async (ms) => {
    const { id, updatedAt } = await service.createLink(key);
    await listen(key);
    advance(ms);
    const { answer, writes } = await interleave(
      () => change(key, id, { title: "Other" }),
      () => change(key, id, { expiredUrl: "https://example.com/expired" }),
    );
    expect(writes).toEqual([1, 1]);
    const version = Math.max(updatedAt + 1, Date.now());
    expect(answer.link).toMatchObject({ title: "Other", expiredUrl: "https://example.com/expired" });
    const events = await storedEvents();
    expect(events.map(({ data }) => data.updatedAt)).toEqual([version, version + 1]);
    expect(events).toMatchObject([{ data: { title: "Other", expiredUrl: null } }, { data: answer.link }]);
  });
});
