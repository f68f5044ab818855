import { accountLogName } from "../../../src/click-log/click-log-name.ts";
import type { BackupCursor } from "../../../src/click-log/log/backup.ts";
import { mapLimit } from "../../../src/platform/lib/map-limit.ts";
import { BACKUP_CONCURRENT_CLICK_LOGS } from "../limits.ts";
import { sequenceOf } from "../../../src/links/store/sequence.ts";
import type { ClicksLine } from "./file.ts";
import type { Installation } from "./installation.ts";
import type { Keys } from "./read-tables.ts";

/**
 * Reads the ClickLogs of all accounts in the backup and passes on the clicks of the links in it, also of deleted links
 * that can be restored. Anonymous links have ClickLogs too, but nobody can query them. `keys` are those of the backup.
 */
export async function readClicks(
  installation: Installation,
  keys: Keys,
  write: (line: ClicksLine) => Promise<void>,
): Promise<void> {
  const links = ["links", "deleted_links"].map((table) => keys.get(table));
  const isKnown = (link: string) => links.some((known) => known?.has(`[${sequenceOf(link)}]`));
  const accounts = [...(keys.get("accounts") ?? [])].flatMap((key) => JSON.parse(key) as number[]);
  await mapLimit(accounts, BACKUP_CONCURRENT_CLICK_LOGS, async (accountId) => {
    const clickLog = accountLogName(accountId);
    let after: BackupCursor | null = null;
    do {
      const page = await installation.exportClicks(clickLog, after);
      const rows = page.rows.filter(({ link }) => isKnown(link));
      if (rows.length > 0) await write({ clickLog, rows });
      after = page.next;
    } while (after !== null);
  });
}
