import { insertManyLinks } from "../../test/support/many-links.ts";
import { withoutPermission } from "../account.ts";
import { runRound, type Load } from "../load/wrk.ts";
import type { Row, Side } from "../row.ts";
import type { Server } from "../server.ts";

// Calls to the API, each few from another address, as the rate limiter has it. All but shortening come with a key. What
// the limiter keeps of an address is emptied a minute later, so that its work falls on other rows, and on both sides alike.

/** What a call asks for; `refused` where it ends with a refusal. */
type Call = Pick<Load, "refused"> & { ask: Exclude<Load["ask"], "visitors">; key?: string };

interface Description {
  name: string;
  title: string;
  against?: "creates";
  goal?: number;
  call: (server: Server) => Promise<Call>;
}

function callRow({ name, title, against, goal, call }: Description): Row<Server> {
  return {
    name,
    title,
    against: against ?? "bare",
    ...(goal !== undefined && { goal }),
    seconds: 2,
    warmUpSeconds: 4,
    async prepare(server) {
      const { pid, addresses } = server;
      const { ask, key, refused = false } = await call(server);
      const load = (address: URL): Load => ({
        address,
        ask,
        ...(key !== undefined && { headers: { Authorization: `Bearer ${key}` } }),
        manyCallers: true,
      });
      const reference: Side = (seconds) => runRound(pid, load(addresses[against ?? "bare"]), seconds);
      return { row: (seconds) => runRound(pid, { ...load(addresses.service), refused }, seconds), reference };
    },
  };
}

const BODY = '{"url":"https://example.com/page/#?with=query","tags":["bench"]}';

/** As many as a page shows by default, several times over. */
const LISTED_LINKS = 1_000;

async function anyLink({ db, accountId }: Server): Promise<string> {
  const find = () =>
    db.prepare("SELECT id FROM links WHERE account_id = ?1 LIMIT 1").bind(accountId).first<string>("id");
  let id = await find();
  if (id === null) {
    await insertManyLinks(db, accountId, 1);
    id = await find();
  }
  if (id === null) throw new Error("no link");
  return id;
}

const create = callRow({
  name: "create",
  title: "POST /api/links, among 1,000,000 links",
  against: "creates",
  goal: 0.7,
  call: async ({ key }) => ({ key, ask: { method: "POST", path: "/api/links", body: BODY, numbers: { next: 0 } } }),
});

const list = callRow({
  name: "list",
  title: "GET /api/links: fifty links of a thousand",
  async call({ db, accountId, key }) {
    await insertManyLinks(db, accountId, LISTED_LINKS);
    return { key, ask: { path: "/api/links" } };
  },
});

const get = callRow({
  name: "get",
  title: "GET /api/links/:id",
  call: async (server) => ({ key: server.key, ask: { path: `/api/links/${await anyLink(server)}` } }),
});

const authenticate = callRow({
  name: "authenticate",
  title: "a key that lacks the permission: the rate limiter, the key, 403",
  call: async ({ db, accountId }) => ({
    key: await withoutPermission(db, accountId),
    ask: { path: "/api/links" },
    refused: true,
  }),
});

const shorten = callRow({
  name: "shorten",
  title: "POST /api/shorten without a key",
  call: async () => ({
    ask: { method: "POST", path: "/api/shorten", body: '{"url":"https://example.com/page/#"}', numbers: { next: 0 } },
  }),
});

const qr = callRow({
  name: "qr",
  title: "GET /api/links/:id/qr, SVG",
  call: async (server) => ({ key: server.key, ask: { path: `/api/links/${await anyLink(server)}/qr` } }),
});

export const calls = [create, list, get, authenticate, shorten, qr];
