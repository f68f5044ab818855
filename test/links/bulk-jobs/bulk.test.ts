import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Link } from "../../../src/links/contract.ts";
import { call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertDomain } from "../../support/domains.ts";
import { createLinks, eventsOf, failuresOf, finish, runJob, startJob, storedLinks, undoJob } from "./support.ts";

const HOOK = { url: "https://hooks.receiver.dev/in", events: ["link.create", "link.update", "link.delete"] };

describe("a bulk job", () => {
  it("changes what matches the filter, once each, and undoes it as a whole", async () => {
    const { accountId, key } = await createAccount();
    const links = await createLinks(key, 230, (n) => ({ tags: n < 215 ? ["Sale", `n${n % 3}`] : [] }));
    await call("POST", "/api/webhooks", { key, body: HOOK });
    const before = await storedLinks(accountId);
    const changes = {
      addTags: ["summer"],
      removeTags: ["sale"],
      utm: { source: "mail" },
      expiresAt: Date.now() - 1,
      password: "correct horse",
      passParameters: false,
    };
    const job = await runJob(key, { filter: { tag: ["sale"] }, changes });
    expect(job).toMatchObject({
      action: "update",
      fields: ["utm", "expiresAt", "passParameters", "password", "addTags", "removeTags"],
      status: "done",
      progress: { done: 215, total: 215 },
      changed: 215,
      unchanged: 0,
      failed: 0,
    });
    const { link } = await jsonOf<{ link: Link }>(await call("GET", `/api/links/${links[7]?.id}`, { key }));
    expect(link).toMatchObject({
      tags: ["n1", "summer"],
      url: "https://example.com/7?utm_source=mail",
      status: "expired",
      hasPassword: true,
      passParameters: false,
    });
    const events = await eventsOf();
    expect([...events.values()].flat().filter((type) => type === "link.update")).toHaveLength(215);
    expect(
      await env.DB.prepare("SELECT count(*) AS n FROM tags WHERE account_id = ?1 AND key LIKE '%sale%'")
        .bind(accountId)
        .first("n"),
    ).toBe(0);

    const undone = await undoJob(key, job.id);
    expect(undone).toMatchObject({ status: "undone", undone: 215, notUndone: 0, progress: { done: 215, total: 215 } });
    expect(await storedLinks(accountId)).toEqual(before);
    expect(await failuresOf(key, job.id)).toEqual([]);
  });

  it("deletes and restores links, and takes both back", async () => {
    const { accountId, key } = await createAccount();
    const links = await createLinks(key, 120);
    await call("POST", "/api/webhooks", { key, body: HOOK });
    const before = await storedLinks(accountId);
    const ids = links.map(({ id }) => id);
    const deleted = await runJob(key, { ids, delete: true });
    expect(deleted).toMatchObject({ action: "delete", status: "done", changed: 120 });
    expect((await storedLinks(accountId)).size).toBe(0);
    expect(await undoJob(key, deleted.id)).toMatchObject({ status: "undone", undone: 120, notUndone: 0 });
    expect(await storedLinks(accountId)).toEqual(before);

    await call("DELETE", `/api/links/${ids[0]}`, { key });
    const restored = await runJob(key, { ids: ids.slice(0, 2), restore: true });
    expect(restored).toMatchObject({ action: "restore", status: "done", changed: 1, unchanged: 1 });
    expect(await undoJob(key, restored.id)).toMatchObject({ undone: 1 });
    expect([...(await storedLinks(accountId)).keys()]).toEqual(ids.slice(1).toSorted());
    const events = await eventsOf();
    expect(events.get(ids[5] ?? "")).toEqual(["link.delete", "link.create"]);
    expect(events.get(ids[0] ?? "")).toEqual([
      "link.delete",
      "link.create",
      "link.delete",
      "link.create",
      "link.delete",
    ]);
  });

  it("lists links of others, unknown ones and texts that are no ids as failures", async () => {
    const { key } = await createAccount();
    const stranger = await createAccount();
    const [own, foreign] = [await createLink(key), await createLink(stranger.key, { title: "mine" })];
    const unknown = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
    const ids = [own.id.toUpperCase(), own.id, foreign.id, unknown, "=1+1"];
    for (const body of [{ changes: { title: "changed" } }, { delete: true }, { restore: true }]) {
      const job = await runJob(key, { ids, ...body });
      expect(job).toMatchObject({ status: "done", failed: 3, progress: { done: 4, total: 4 } });
      expect(await failuresOf(key, job.id)).toEqual([
        `'=1+1,not_found`,
        `${foreign.id},of_another_account`,
        `${unknown},not_found`,
      ]);
    }
    const { link } = await jsonOf<{ link: Link }>(await call("GET", `/api/links/${foreign.id}`, { key: stranger.key }));
    expect(link.title).toBe("mine");
  });

  it("moves links to a domain, but those whose slug is taken there, and back", async () => {
    const { accountId, key } = await createAccount();
    for (const domain of ["go.acme.com", "old.acme.com"]) await insertDomain(accountId, domain);
    const [first, second, third] = [
      await createLink(key, { slug: "bulk-move" }),
      await createLink(key, { slug: "Bulk-Move", domain: "old.acme.com" }),
      await createLink(key, { slug: "bulk-free" }),
    ];
    const renamed = await createLink(key, { slug: "bulk-alias" });
    await call("PATCH", `/api/links/${renamed.id}`, { key, body: { slug: "bulk-now" } });
    const before = await storedLinks(accountId);
    const ids = [first.id, second.id, third.id, renamed.id];
    const job = await runJob(key, { ids, changes: { domain: "go.acme.com" } });
    expect(job).toMatchObject({ changed: 2, failed: 2 });
    expect(await failuresOf(key, job.id)).toEqual([`${renamed.id},aliases_of_domain`, `${second.id},taken`]);
    const moved = await call("GET", `http://go.acme.com/bulk-free`);
    expect(moved.status).toBe(302);
    await createLink(key, { slug: "bulk-free" });
    const undone = await undoJob(key, job.id);
    expect(undone).toMatchObject({ status: "undone", undone: 1, notUndone: 1 });
    expect((await failuresOf(key, job.id)).at(-1)).toBe(`${third.id},taken`);
    expect((await storedLinks(accountId)).get(first.id)).toEqual(before.get(first.id));
  });

  it("leaves links that were changed after it when it is undone", async () => {
    const { key } = await createAccount();
    const [same, changed, gone, back] = await createLinks(key, 4);
    if (!same || !changed || !gone || !back) throw new Error("links are missing");
    const ids = [same.id, changed.id, gone.id];
    const job = await runJob(key, { ids, changes: { title: "by the job", archived: true } });
    await call("PATCH", `/api/links/${changed.id}`, { key, body: { title: "by hand" } });
    await call("DELETE", `/api/links/${gone.id}`, { key });
    expect(await undoJob(key, job.id)).toMatchObject({ undone: 1, notUndone: 2 });
    expect(await failuresOf(key, job.id)).toEqual([changed, gone].map(({ id }) => `${id},changed_since_job`));
    const titleOf = async (id: string) =>
      (await jsonOf<{ link?: Link }>(await call("GET", `/api/links/${id}`, { key }))).link?.title;
    expect(await Promise.all([same, changed, gone].map(({ id }) => titleOf(id)))).toEqual([null, "by hand", undefined]);

    const deletion = await runJob(key, { ids: [back.id], delete: true });
    await call("POST", `/api/links/${back.id}/restore`, { key });
    expect(await undoJob(key, deletion.id)).toMatchObject({ undone: 0, notUndone: 1 });
    expect((await call("GET", `/api/links/${back.id}`, { key })).status).toBe(200);
  });

  it("does not change links that are created, or match, after its start", async () => {
    const { accountId, key } = await createAccount();
    await createLinks(key, 3);
    const job = await startJob(key, { filter: {}, changes: { title: "frozen" } });
    await createLink(key);
    expect(await finish(key, job.id)).toMatchObject({ changed: 3 });
    const titles = [...(await storedLinks(accountId)).values()].map(({ title }) => title);
    expect(titles.filter((title) => title === "frozen")).toHaveLength(3);
  });

  it("writes as many rows to the database as PATCH /api/links/bulk", async () => {
    const { key } = await createAccount();
    const links = await createLinks(key, 200);
    const [some, others] = [links.slice(0, 100).map(({ id }) => id), links.slice(100).map(({ id }) => id)];
    const changes = { archived: true };
    const request = await measureD1(() => call("PATCH", "/api/links/bulk", { key, body: { ids: some, changes } }));
    const job = await measureD1(() => runJob(key, { ids: others, changes }));
    console.log(`rows written: ${request.rowsWritten} by the request, ${job.rowsWritten} by the job`);
    // Uses of the key are recorded once a minute.
    expect(job.rowsWritten).toBeLessThanOrEqual(request.rowsWritten + 10);
  });
});
