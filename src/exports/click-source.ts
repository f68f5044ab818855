import { CLICK_COLUMNS } from "../clicks/analytics/csv.ts";
import { queryClickLog } from "../clicks/click-log/client.ts";
import type { ExportCursor, ExportQuery } from "../clicks/click-log/exports.ts";
import { toClickRecord, type ClickRecord } from "../clicks/click-record.ts";
import type { SourceContext, TableSource } from "./source.ts";

/** The single clicks of the account that match, the newest day first. */
export function clickSource(queryOf: (context: SourceContext) => ExportQuery): TableSource<ClickRecord> {
  return {
    name: "clicks",
    columns: CLICK_COLUMNS,
    async read(context, after) {
      const { env, principal, exportId } = context;
      const { waitMs, clicks, next } = await queryClickLog(env, principal.accountId, (log) =>
        log.readExport(exportId, queryOf(context), after as ExportCursor | null),
      );
      return { waitMs, records: clicks.map(toClickRecord), next };
    },
    // If this fails, the turn of the export ends by itself.
    async release({ env, principal, exportId }) {
      await queryClickLog(env, principal.accountId, (log) => log.endExport(exportId)).catch(() => null);
    },
  };
}
