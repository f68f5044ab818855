import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { BulkJob } from "../../../src/links/bulk-jobs/contract.ts";
import { BULK, createLinks, storedLinks } from "../../links/bulk-jobs/support.ts";
import { BASE_URL, call, jsonOf } from "../../support/api.ts";
import { whileHeld } from "../../support/d1-client.ts";
import { internet } from "../../webhooks/support.ts";
import type { Person } from "../teams/support.ts";
import { connect } from "./support.ts";

beforeEach(() => internet.reset());

const connectToApi = () => connect({ asked: { parameters: { resource: `${BASE_URL}/api` } } });

/** Runs while the pages of bulk jobs wait. */
const whilePagesHeld = <T>(run: () => Promise<T>): Promise<T> =>
  whileHeld((statements) => statements.some((each) => each.includes("UPDATE links AS l")), run);

async function readJob({ browser }: Person, id: string): Promise<BulkJob> {
  return (await browser.get(`${BULK}/${id}`)).body["job"] as BulkJob;
}

describe("a job that an app started", () => {
  it("stops when the person disconnects the app", async () => {
    const { access, person } = await connectToApi();
    await createLinks(access, 250);
    const { id } = await whilePagesHeld(async () => {
      const body = { filter: {}, changes: { title: "by the job" } };
      const { job } = await jsonOf<{ job: BulkJob }>(await call("POST", BULK, { key: access, body }));
      await vi.waitUntil(async () => (await readJob(person, job.id)).status === "running", { timeout: 20_000 });
      const { body: list } = await person.browser.get("/api/auth/apps");
      const [app] = list["apps"] as { id: string }[];
      expect((await person.browser.delete(`/api/auth/apps/${app?.id}`)).status).toBe(200);
      return job;
    });
    await vi.waitUntil(async () => (await readJob(person, id)).status === "failed", { timeout: 20_000 });
    expect(await readJob(person, id)).toMatchObject({ fault: { code: "job_not_allowed" } });
    const accountId = await env.DB.prepare("SELECT id FROM accounts WHERE personal_user_id = ?1")
      .bind(person.userId)
      .first<number>("id");
    const titles = [...(await storedLinks(accountId ?? 0)).values()].filter(({ title }) => title === "by the job");
    expect(titles.length).toBeLessThan(250);
  });

  it("is in the audit log with its name", async () => {
    const { access, person } = await connectToApi();
    await createLinks(access, 1);
    const started = await call("POST", "/api/exports", { key: access, body: { kind: "links" } });
    const { export: file } = await jsonOf<{ export: { id: string } }>(started);
    const isFinished = async () => (await call("GET", `/api/exports/${file.id}/file`, { key: access })).status === 200;
    await vi.waitUntil(isFinished, { timeout: 20_000 });
    const { body } = await person.browser.get("/api/account/audit?limit=2");
    const actor = { type: "user", id: person.userId, app: "Assistant" };
    expect(body["entries"]).toMatchObject([
      { action: "export.download", actor },
      { action: "export.create", actor },
    ]);
  });
});
