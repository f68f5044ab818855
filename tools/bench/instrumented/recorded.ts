import type { Link } from "../../../src/links/contract.ts";
import { sequenceOf } from "../../../src/links/store/sequence.ts";
import { createAccount } from "../../../test/e2e/support/accounts.ts";
import type { Account } from "../account.ts";
import { makeLink, visit, type InstrumentedServer, type Statement } from "./server.ts";

/** Statements that the service sends to the database. The reference Workers send the same and do nothing else. */
export interface RecordedStatements {
  /** Of a cold redirect. */
  read: Statement & { slug: string };
  /** Of the creation of a link: the read of the key, and the batch that stores the link. */
  create: { account: Account; key: Statement; batch: Statement[]; id: string; seq: string; slug: string };
}

/** Slug of a link that was not requested before. */
const COLD_SLUG = "l999";

export async function recordStatements(server: InstrumentedServer): Promise<RecordedStatements> {
  return { read: await recordRead(server), create: await recordCreate(server) };
}

async function recordRead(server: InstrumentedServer): Promise<RecordedStatements["read"]> {
  const trips = await recordTrips(server, () => visit(server, `/${COLD_SLUG}`));
  // Besides, an isolate without the list reads the hosts that are taken down.
  const [statement, ...others] = trips.find(([first]) => first?.params.includes(COLD_SLUG)) ?? [];
  if (statement === undefined || others.length > 0) throw new Error("a cold redirect does not send one statement");
  return { ...statement, slug: COLD_SLUG };
}

async function recordCreate(server: InstrumentedServer): Promise<RecordedStatements["create"]> {
  const account = await createAccount(server.db);
  let link: Link | undefined;
  const trips = await recordTrips(server, async () => {
    link = await makeLink(server, account.key);
  });
  const [[key] = [], batch] = trips.filter(([first]) => !(first?.sql ?? "").startsWith("UPDATE api_keys"));
  if (link === undefined || key === undefined || batch === undefined)
    throw new Error("the creation of a link does not send a read and a batch");
  return { account, key, batch, id: link.id, seq: sequenceOf(link.id), slug: link.slug };
}

async function recordTrips(server: InstrumentedServer, run: () => Promise<unknown>): Promise<Statement[][]> {
  await server.control({ record: true });
  await run();
  return (await server.control({ record: false })).trips;
}
