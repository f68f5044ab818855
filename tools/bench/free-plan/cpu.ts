import { parseArgs } from "node:util";
import { hashPassword } from "../../../src/identity/people/password-hashing/scrypt.ts";
import { UNCOUNTED } from "../instrumented/server.ts";
import { DESTINATION } from "../runtime.ts";
import { table } from "../report.ts";
import { createFilled, type Account, type Ask } from "../worst-calls/account.ts";
import { startIsolates, type Profiles } from "../worst-calls/isolates.ts";

// The CPU time of ordinary calls in the isolate that answers requests: of the first call there, and of later ones. The free plan permits
// 10 ms for a request. Durable Objects may take longer.

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const started = performance.now();
const tell = (text: string) => console.error(`${Math.round((performance.now() - started) / 1_000)} s: ${text}`);

/** Each class of calls is measured in so many new isolates. */
const STARTS = 2;
/** Calls after the first one. */
const CALLS_EACH = 10;
const SIZE = { links: 200, clicks: 2_000 };
const PASSWORD = "seventeen quiet lanterns";
const BULK_LINKS = 100;

const get = (path: string): Ask => ({ method: "GET", path });
const post = (path: string, body: object, others: Partial<Ask> = {}): Ask => ({
  method: "POST",
  path,
  body: JSON.stringify(body),
  ...others,
});

/** Returns the request of a call. */
type Prepare = (account: Account) => Promise<Ask> | Ask;

const CALLS: Record<string, Prepare> = {
  redirect: async ({ server, accountId }) => {
    const find = server.db.prepare("SELECT slug FROM links WHERE account_id = ?1 AND domain = '' LIMIT 1");
    const path = `/${await find.bind(accountId).first<string>("slug")}`;
    return { ...get(path), key: null, headers: UNCOUNTED };
  },
  "unknown slug": () => ({ ...get("/nothing-has-this-slug"), key: null }),
  "shorten without a key": () => post("/api/shorten", { url: DESTINATION }, { key: null }),
  "create a link": () => post("/api/links", { url: DESTINATION, tags: ["a"] }),
  "get a link": ({ busyLink }) => get(`/api/links/${busyLink}`),
  "list 50 links": () => get("/api/links"),
  "analytics of 30 days": () => get("/api/clicks?interval=30d&compare=previous"),
  "QR code, SVG": ({ busyLink }) => get(`/api/links/${busyLink}/qr`),
  "QR code, PNG": ({ busyLink }) => get(`/api/links/${busyLink}/qr?format=png&size=1024`),
  "create 100 links in one call": () =>
    post("/api/links/bulk", { links: Array.from({ length: BULK_LINKS }, () => ({ url: DESTINATION })) }),
  "sign in with a password": async ({ server, person }) => {
    const change = server.db.prepare("UPDATE users SET password_hash = ?2 WHERE id = ?1");
    await change.bind(person.userId, hashPassword(PASSWORD)).run();
    const headers = { Origin: "http://tern.test" };
    return post("/api/auth/sign-in", { email: person.email, password: PASSWORD }, { key: null, headers });
  },
};

const rows: string[][] = [];
for (const [name, prepare] of Object.entries(CALLS))
  if (name.includes(values.only)) {
    rows.push([name, ...(await measure(prepare))]);
    tell(rows.at(-1)?.join(", ") ?? "");
  }
console.log(table(["call", "first call, ms", "later calls, ms", "objects, ms"], rows));

/** The CPU time of the first call, the least of all starts, and medians of later calls: of the isolate of requests, and of objects. */
async function measure(prepare: Prepare): Promise<string[]> {
  const [nothing, first, later]: [Profiles[], Profiles[], Profiles[]] = [[], [], []];
  for (let start = 0; start < STARTS; start++) {
    const { server, profile } = await startIsolates();
    try {
      const account = await createFilled(server, SIZE);
      const ask = await prepare(account);
      for (let n = 0; n <= CALLS_EACH; n++) {
        nothing.push(await profile(() => Promise.resolve()));
        const headers = { ...ask.headers, "CF-Connecting-IP": `192.0.2.${n}` };
        const profiles = await profile(async () => {
          const { status, text } = await account.send({ ...ask, headers });
          if (status >= 400 && status !== 404) throw new Error(`${ask.path}: ${status} ${text}`);
        });
        (n === 0 ? first : later).push(profiles);
      }
    } finally {
      await server.stop();
    }
  }
  const timesOf = (all: Profiles[], isolate: "requests" | "objects") =>
    all.map((profiles) => profiles[isolate].cpuMs).sort((a, b) => a - b);
  const median = (times: number[]) => times[Math.floor(times.length / 2)] ?? 0;
  const without = (ms: number, isolate: "requests" | "objects") => ms - median(timesOf(nothing, isolate));
  const measured = [
    without(timesOf(first, "requests")[0] ?? 0, "requests"),
    without(median(timesOf(later, "requests")), "requests"),
    without(median(timesOf(later, "objects")), "objects"),
  ];
  return measured.map((ms) => Math.max(0, ms).toFixed(1));
}
