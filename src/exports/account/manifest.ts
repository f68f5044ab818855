import type { DetailFrom } from "../../clicks/click-log/detail.ts";
import { queryClickLog } from "../../clicks/click-log/stub.ts";
import { clicksUntil } from "./sources.ts";
import type { SourceContext } from "../source.ts";
import { countRecords, findExportedAccount, type ExportedAccount } from "./store.ts";

/** Returns the number of records of all sources as far as it is known. */
export async function countAccountRecords({ env, db, principal, createdAt }: SourceContext): Promise<number> {
  const clicks = await queryClickLog(env, principal.accountId, (log) => log.countExport(clicksUntil(createdAt)));
  return clicks + (await countRecords(db, principal.accountId));
}

/** What `export.json` says: what the file is, and how many records it has by source. */
export interface Manifest {
  exportId: string;
  account: ExportedAccount | null;
  startedAt: number;
  finishedAt: number;
  /** From when on which details of clicks are stored. */
  clickDetailFrom: DetailFrom;
  records: Record<string, number>;
}

export async function describeAccountExport(
  { env, db, jobId: exportId, now, principal, createdAt }: SourceContext,
  records: Record<string, number>,
): Promise<Manifest> {
  const account = await findExportedAccount(db, principal.accountId);
  const clickDetailFrom = await queryClickLog(env, principal.accountId, (log) => log.detailFrom());
  return { exportId, account, startedAt: createdAt, finishedAt: now, clickDetailFrom, records };
}
