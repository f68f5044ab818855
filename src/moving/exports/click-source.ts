import { CLICK_COLUMNS, fileColumns } from "../../clicks/analytics/csv.ts";
import { ShortUrls, type FileClick } from "../../clicks/analytics/file-click.ts";
import { queryClickLog } from "../../click-log/log/stub.ts";
import type { ExportCursor, ExportQuery } from "../../click-log/log/exports.ts";
import { toClickRecord, type ClickRecord } from "../../click-log/click-record.ts";
import type { SourceContext, TableSource } from "./source.ts";

/** The clicks of a file of their own, with the short URLs of their links and with times in the time zone. */
export function clickFileSource({
  clicks,
  timezone,
}: {
  clicks: ExportQuery;
  timezone: string;
}): TableSource<FileClick> {
  const source = clickSource(() => clicks);
  return {
    ...source,
    columns: fileColumns(timezone),
    async read(context, after) {
      const page = await source.read(context, after);
      return { ...page, records: await new ShortUrls(context).addTo(page.records) };
    },
  };
}

/** The single clicks of the account that match, the newest day first. */
export function clickSource(queryOf: (context: SourceContext) => ExportQuery): TableSource<ClickRecord> {
  return {
    name: "clicks",
    columns: CLICK_COLUMNS,
    async read(context, after) {
      const { waitMs, clicks, next } = await queryClickLog(context, (log) =>
        log.readExport(context.jobId, queryOf(context), after as ExportCursor | null),
      );
      return { waitMs, records: clicks.map(toClickRecord), next };
    },
    // If this fails, the turn of the export ends by itself.
    async release(context) {
      await queryClickLog(context, (log) => log.endExport(context.jobId)).catch(() => null);
    },
  };
}
