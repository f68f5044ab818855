import { insertManyLinks } from "../../../test/support/many-links.ts";
import { addKeyWithoutPermission } from "../account.ts";
import { runRound, type Load } from "../load/wrk.ts";
import type { Row } from "../row.ts";
import type { Server } from "../server.ts";

// Requests to the API, a few from each IP address because of the rate limits. A minute later the limiter deletes its rows
// for an address. Other rows pay for that, both their operation and their reference.

/** The request of a row. */
interface Call {
  ask: Exclude<Load["ask"], "visitors">;
  key?: string;
  refused?: boolean;
}

function callRow(
  description: Pick<Row<Server>, "name" | "title" | "goal"> & { against?: "creates" },
  call: (server: Server) => Promise<Call>,
): Row<Server> {
  const { against = "bare" } = description;
  return {
    ...description,
    against,
    seconds: 2,
    warmUpSeconds: 4,
    async prepare(server) {
      const { ask, key, refused = false } = await call(server);
      const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` };
      const side = (address: URL, refused: boolean) => (seconds: number) =>
        runRound(server.pid, { address, ask, headers, manyCallers: true, refused }, seconds);
      return { row: side(server.addresses.service, refused), reference: side(server.addresses[against], false) };
    },
  };
}

const BODY = '{"url":"https://example.com/page/#?with=query","tags":["bench"]}';

/** Several pages. */
const LISTED_LINKS = 1_000;

/** Path of a link of the account. */
async function pathOfLink({ db, accountId }: Server): Promise<string> {
  await insertManyLinks(db, accountId, 1);
  const find = db.prepare("SELECT id FROM links WHERE account_id = ?1 LIMIT 1").bind(accountId);
  return `/api/links/${await find.first<string>("id")}`;
}

export const calls = [
  callRow(
    { name: "create", title: "POST /api/links, among 1,000,000 links", against: "creates", goal: 0.7 },
    async ({ key }) => ({ key, ask: { method: "POST", path: "/api/links", body: BODY, numbers: { next: 0 } } }),
  ),
  callRow({ name: "list", title: "GET /api/links: fifty links of a thousand" }, async ({ db, accountId, key }) => {
    await insertManyLinks(db, accountId, LISTED_LINKS);
    return { key, ask: { path: "/api/links" } };
  }),
  callRow({ name: "get", title: "GET /api/links/:id" }, async (server) => ({
    key: server.key,
    ask: { path: await pathOfLink(server) },
  })),
  callRow(
    { name: "authenticate", title: "a key without the permission: rate limiter, key, 403" },
    async ({ db, accountId }) => ({
      key: await addKeyWithoutPermission(db, accountId),
      ask: { path: "/api/links" },
      refused: true,
    }),
  ),
  callRow({ name: "shorten", title: "POST /api/shorten without a key" }, async () => ({
    ask: { method: "POST", path: "/api/shorten", body: '{"url":"https://example.com/page/#"}', numbers: { next: 0 } },
  })),
  callRow({ name: "qr", title: "GET /api/links/:id/qr, SVG" }, async (server) => ({
    key: server.key,
    ask: { path: `${await pathOfLink(server)}/qr` },
  })),
];
