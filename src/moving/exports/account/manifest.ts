import type { DetailFrom } from "../../../click-log/log/detail.ts";
import { findCommonAccount, type CommonAccount } from "../../../identity/account/store/account.ts";
import { queryClickLog } from "../../../click-log/log/stub.ts";
import { clicksUntil } from "./sources.ts";
import type { SourceContext } from "../source.ts";
import { countRecords } from "./store.ts";

/** Returns the number of records of all sources as far as it is known. */
export async function countAccountRecords(context: SourceContext): Promise<number> {
  const { db, principal, createdAt } = context;
  const clicks = await queryClickLog(context, (log) => log.countExport(clicksUntil(createdAt)));
  return clicks + (await countRecords(db, principal.accountId));
}

/** What `export.json` says: what the file is, and how many records it has by source. */
export interface Manifest {
  exportId: string;
  account: CommonAccount | null;
  startedAt: number;
  finishedAt: number;
  /** From when on which details of clicks are stored. */
  clickDetailFrom: DetailFrom;
  records: Record<string, number>;
}

export async function describeAccountExport(
  context: SourceContext,
  records: Record<string, number>,
): Promise<Manifest> {
  const { db, jobId: exportId, now, principal, createdAt } = context;
  const account = await findCommonAccount(db, principal.accountId);
  const clickDetailFrom = await queryClickLog(context, (log) => log.detailFrom());
  return { exportId, account, startedAt: createdAt, finishedAt: now, clickDetailFrom, records };
}
