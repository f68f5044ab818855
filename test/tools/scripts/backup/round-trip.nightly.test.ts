import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withTemporaryWorker } from "../../../../tools/scripts/backup/temporary-worker.ts";
import type { BackedUpRow } from "../../../../src/click-log/log/backup.ts";
import { demoKey } from "../../../../tools/scripts/demo-key.ts";
import { withLocalDatabase } from "../../../../tools/scripts/local-database.ts";
import { wrangler } from "../../../../tools/scripts/wrangler.ts";
import { DAY_MS } from "../../../../src/limits.ts";
import { newId } from "../../../../src/platform/lib/uuid.ts";
import { sequenceOf } from "../../../../src/links/store/sequence.ts";
import type { Link } from "../../../../src/links/contract.ts";
import { RollupBuilder } from "../../../../src/click-log/log/encoding.ts";
import { clientPart, DEFAULT_TARGET, originPart, targetPart } from "../../../../src/click-log/profile.ts";
import { until } from "../../../support/until.ts";
import { runScript, startService, temporaryFolder, type Service } from "../support/command.ts";

// The commands themselves: a service is filled through its API, backed up, restored into another folder, and compared
// through its API.

const folder = temporaryFolder();
const keyFile = join(folder, "key");
const before = join(folder, "before");
const after = join(folder, "after");
const file = join(folder, "backup.gz");

async function start(state: string): Promise<Service> {
  const service = await startService(state, keyFile);
  onTestFinished(() => service.stop());
  return service;
}

type Answer = Record<string, unknown>;

/** Every call comes from another address, so no rate limit ends the test. */
let address = 1;

async function call(
  service: Service,
  method: string,
  path: string,
  body?: unknown,
  key = service.key,
): Promise<Answer> {
  const response = await fetch(service.origin + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      "CF-Connecting-IP": `203.0.113.${address++ % 250}`,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status, `${method} ${path}`).toBeLessThan(300);
  return (await response.json()) as Answer;
}

async function createLink(service: Service, fields: object): Promise<Link> {
  return (await call(service, "POST", "/api/links", { url: "https://example.com/page", ...fields }))["link"] as Link;
}

function visit(service: Service, slug: string, userAgent = "curl/8.5.0"): Promise<Response> {
  return fetch(`${service.origin}/${slug}`, {
    redirect: "manual",
    headers: { "User-Agent": userAgent, "CF-Connecting-IP": `198.51.100.${address++ % 250}` },
  });
}

const EVERY_FIELD = {
  slug: "Every-Field",
  title: "Zoë 株式会社 🦆",
  tags: ["sale", "print"],
  expiresAt: Date.UTC(2100, 0, 1),
  expiredUrl: "https://example.com/expired",
  maxClicks: 5,
  ios: "https://apps.apple.com/app/id1",
  android: "https://play.google.com/store/apps/details?id=a",
  geo: { US: "https://example.com/us" },
  redirectStatus: 307,
  passParameters: false,
  externalId: "external-1",
};

interface Filled {
  deletedId: string;
  linkIds: string[];
  secondKey: string;
}

/** Uses every part of the API. */
async function fill(service: Service): Promise<Filled> {
  const links = [
    await createLink(service, EVERY_FIELD),
    await createLink(service, { slug: "secret", password: "open sesame" }),
    await createLink(service, { slug: "visited" }),
  ];
  const deleted = await createLink(service, { slug: "deleted" });
  for (const slug of ["Every-Field", "Every-Field", "visited", "rolled-up", "deleted"]) await visit(service, slug);
  await visit(service, "visited", "Googlebot/2.1");
  await call(service, "DELETE", `/api/links/${deleted.id}`);
  for (const id of [links[0]?.id, links[2]?.id]) {
    const path = `/api/links/${id}/clicks`;
    await until(async () => ((await call(service, "GET", path))["clicks"] as { total: number }).total > 0);
  }
  await call(service, "POST", "/api/domains/add", { domain: "pending.acme.com" });
  await call(service, "POST", "/api/utm-templates", { name: "Straße", utm: { source: "news", term: "ü" } });
  const hook = { url: "https://hooks.acme.com/tern", events: ["link.create"] };
  await call(service, "POST", "/api/webhooks", hook);
  const chat = { ...hook, format: "slack" };
  const off = (await call(service, "POST", "/api/webhooks", chat))["webhook"] as { id: string };
  await call(service, "PATCH", `/api/webhooks/${off.id}`, { status: "inactive" });
  const second = (await call(service, "POST", "/api/keys", { name: "Second" }))["key"] as { value: string };
  await fetch(`${service.origin}/api/shorten`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/anonymous" }),
  });
  return { linkIds: links.map(({ id }) => id), deletedId: deleted.id, secondKey: second.value };
}

/** What needs DNS or 90 days: a verified domain with a link, and a link whose clicks of two days are rolled up. */
async function fillBehindTheApi(): Promise<string[]> {
  const created = Date.now() - 200 * DAY_MS;
  const [onDomain, rolledUp] = [newId(created), newId(created + 1)];
  const day = Math.floor(created / DAY_MS) + 1;
  await withLocalDatabase(before, async (db) => {
    await demoKey(db, keyFile, created);
    await db
      .prepare(
        `INSERT INTO domains (id, account_id, domain, token, status, verified_at, created_at, updated_at)
         VALUES (?1, 1, 'go.acme.com', 'token', 'verified', ?2, ?2, ?2)`,
      )
      .bind(newId(created), created)
      .run();
    const links = [
      [sequenceOf(onDomain), onDomain, "go.acme.com", "on-domain"],
      [sequenceOf(rolledUp), rolledUp, "", "rolled-up"],
    ];
    await db
      .prepare(
        `INSERT INTO links (seq, id, account_id, domain, slug, url, tags, status, redirect_status, created_at, updated_at)
         SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, 1, value ->> 2, value ->> 3, 'https://example.com/', NULL, 'active', 302, ?2, ?2
         FROM json_each(?1)`,
      )
      .bind(JSON.stringify(links), created)
      .run();
  });
  const rollup = new RollupBuilder();
  const place = { country: "DE", region: "BE", city: "Berlin", continent: "EU" };
  const noUtm = { utmSource: "", utmMedium: "", utmCampaign: "", utmTerm: "", utmContent: "" };
  rollup.add(
    [0, 40, 30, 0, 0, 0],
    [
      [originPart({ ...place, referrer: "", source: "", trigger: "link" })],
      [targetPart({ target: DEFAULT_TARGET, ...noUtm }, "https://example.com/")],
      [clientPart({ device: "desktop", browser: "Chrome", os: "Linux", bot: false })],
    ],
  );
  const row: BackedUpRow = {
    day,
    link: rolledUp,
    part: 0,
    level: 1,
    clicks: 40,
    first_at: day * DAY_MS,
    last_at: (day + 1) * DAY_MS - 1,
    last_click_at: day * DAY_MS + 1,
    batches: "",
    visitors: "",
    segments: rollup.toJson(),
  };
  const target = { remote: false, stateDirectory: before, environment: undefined };
  const later = { ...row, day: day + 2, first_at: (day + 2) * DAY_MS, last_at: (day + 3) * DAY_MS - 1 };
  await withTemporaryWorker(target, wrangler, async (installation) => {
    await installation.importClicks("account:1", [row, { ...later, last_click_at: later.first_at + 1 }]);
  });
  return [onDomain, rolledUp];
}

/** Everything that the API shows of the account. */
async function readAll(service: Service, { linkIds, secondKey }: Filled): Promise<Record<string, Answer>> {
  const paths = [
    "/api/links?limit=100",
    "/api/links?search=acme",
    "/api/links?search=株式会社",
    "/api/links?tag=sale",
    "/api/domains",
    "/api/utm-templates",
    "/api/webhooks",
    "/api/clicks?interval=all",
    ...linkIds.flatMap((id) => [
      `/api/links/${id}`,
      `/api/links/${id}/clicks?interval=1y`,
      `/api/deep-links/links/${id}`,
    ]),
  ];
  const answers: Record<string, Answer> = {};
  for (const path of paths) answers[path] = await call(service, "GET", path);
  // The second key authenticates; its use is not compared.
  const { keys } = (await call(service, "GET", "/api/keys", undefined, secondKey)) as { keys: Answer[] };
  for (const each of keys) delete each["lastUsedAt"];
  answers["/api/keys"] = { keys };
  return answers;
}

/** Without what depends on the port and on the time of the request. */
function comparable(service: Service, answers: Record<string, Answer>): unknown {
  const isTime = (name: string) => name === "end" || name === "start";
  const text = JSON.stringify(answers, (name, value: unknown) => (isTime(name) ? 0 : value));
  return JSON.parse(text.replaceAll(new URL(service.origin).port, "PORT"));
}

test("a restored installation shows the same through the API, and its webhooks are held", async () => {
  const older = await fillBehindTheApi();
  const first = await start(before);
  const filled = await fill(first);
  filled.linkIds.push(...older);
  const expected = await readAll(first, filled);

  const refused = await runScript("backup.ts", ["--out", file, "--persist-to", before]);
  expect(refused).toMatchObject({ exitCode: 1, errors: expect.stringContaining("Stop it first") });
  await first.stop();
  const made = await runScript("backup.ts", ["--out", file, "--persist-to", before]);
  expect(made.exitCode, made.errors).toBe(0);
  const restored = await runScript("restore.ts", [file, "--persist-to", after]);
  expect(restored.exitCode, restored.errors).toBe(0);
  expect(restored.output).toContain(`npm run restore -- --release-webhooks --persist-to ${after}`);

  const second = await start(after);
  expect(second.key).toBe(first.key);
  const shown = await readAll(second, filled);
  const { webhooks } = shown["/api/webhooks"] as { webhooks: Answer[] };
  expect(webhooks.map(({ status, disabledReason }) => [status, disabledReason])).toEqual([
    ["inactive", "manual"],
    ["inactive", "restored"],
  ]);
  webhooks.forEach((webhook, n) => {
    if (webhook["disabledReason"] === "restored")
      Object.assign(webhook, { status: "active", disabledReason: null, disabledAt: null });
    expect(webhook).toEqual((expected["/api/webhooks"] as { webhooks: Answer[] }).webhooks[n]);
  });
  expect(comparable(second, shown)).toEqual(comparable(first, expected));
  const rolledUp = expected[`/api/links/${older[1]}/clicks?interval=1y`]?.["clicks"] as { total: number };
  expect(rolledUp.total).toBeGreaterThan(80);
  expect(expected["/api/links?search=株式会社"]?.["links"]).toHaveLength(1);

  expect((await visit(second, "every-field")).status).toBe(307);
  expect((await visit(second, "deleted")).status).toBe(404);
  await call(second, "POST", `/api/links/${filled.deletedId}/restore`);
  expect((await visit(second, "deleted")).status).toBe(302);
  expect(await (await visit(second, "secret")).text()).toContain("password");
  await second.stop();

  const released = await runScript("restore.ts", ["--release-webhooks", "--persist-to", after]);
  expect(released.output).toContain("Released 1 webhooks.");
}, 400_000);
