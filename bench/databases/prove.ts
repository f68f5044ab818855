import { table } from "../report.ts";
import { mapCounters, type Counters } from "../instrumented/server.ts";
import { createAll, deleteAccount, deleteAll, purgeAccount, purgeDeletedLinks } from "./changes.ts";
import { checkExports, checkLists, checkRedirects, checkRows, checkSearches } from "./checks.ts";
import { moveUnderLoad } from "./moves.ts";
import { prepare, type Differences } from "./setting.ts";

interface Phase {
  name: string;
  /** Links, or what the name says. */
  count: number;
  seconds: number;
  rowsRead: number;
  rowsWritten: number;
}

interface Proof {
  phases: Phase[];
  /** What went on during the moves. */
  load: string;
  differences: Differences;
}

const MAX_VISITS = 5_000;
/** Links are deleted whose number has this remainder. */
const DELETED = { of: 10, remainder: 3 };
/** The account that is deleted. It has moved. */
const DELETED_ACCOUNT = 1;

/** Creates links in several databases, uses, moves, exports and deletes them, and compares all with a model after each step. */
export async function prove(
  { links, accounts }: { links: number; accounts: number },
  tell: (line: string) => void = () => undefined,
): Promise<Proof> {
  const setting = await prepare(links, accounts, tell);
  const { server, differences } = setting;
  const phases: Phase[] = [];
  const phase = async (name: string, run: () => Promise<number>) => {
    const { counters: before } = await server.control();
    const start = performance.now();
    const count = await run();
    const seconds = (performance.now() - start) / 1_000;
    const { counters } = await server.control();
    const used: Counters = mapCounters(counters, (value, key) => value - before[key]);
    phases.push({ name, count, seconds, rowsRead: used.databaseRowsRead, rowsWritten: used.databaseRowsWritten });
    tell(`${name}: ${count} in ${seconds.toFixed(1)} s, ${differences.count} differences`);
  };
  const visits = Math.min(Math.ceil(links / 3), MAX_VISITS);
  const compare = async (when: string) => {
    await phase(`rows of the tables compared ${when}`, () => checkRows(setting));
    await phase(`lists compared ${when}`, () => checkLists(setting));
    await phase(`searches compared ${when}`, () => checkSearches(setting));
    await phase(`redirects compared ${when}`, () => checkRedirects(setting, visits));
  };
  try {
    const step = Math.ceil(links / 10);
    await phase("created", async () => {
      let told = step;
      await createAll(setting, links, (done) => {
        if (done < told) return;
        tell(`  ${done} created`);
        told += step;
      });
      return links;
    });
    await compare("after the creation");
    let load = "";
    await phase("moved under load", async () => {
      const { moved, load: done } = await moveUnderLoad(setting);
      load = `During the moves: ${Object.entries(done)
        .map(([what, count]) => `${count} ${what}`)
        .join(", ")}; ${setting.refused.writes} refused writes were repeated.`;
      return moved;
    });
    tell(load);
    await compare("after the moves");
    await phase("lines of CSV exports compared", () => checkExports(setting));
    await phase("deleted", () => deleteAll(setting, (n) => n % DELETED.of === DELETED.remainder));
    await compare("after the deletion");
    await phase("deleted for good", () => purgeDeletedLinks(setting));
    await phase("links of a deleted account", () => deleteAccount(setting, DELETED_ACCOUNT));
    await compare("after the deletion of an account");
    await phase("links of a deleted account, for good", () => purgeAccount(setting, DELETED_ACCOUNT));
    await compare("at the end");
    return { phases, load, differences };
  } finally {
    await server.stop();
  }
}

/** What was done, and what differs from the model. */
export function reportProof({ phases, load, differences }: Proof): string {
  const each = (rows: number, count: number) => (count === 0 ? "" : (rows / count).toFixed(1));
  const rows = phases.map(({ name, count, seconds, rowsRead, rowsWritten }) => [
    name,
    count.toLocaleString("en"),
    seconds.toFixed(1),
    each(rowsRead, count),
    each(rowsWritten, count),
  ]);
  const head = ["step", "number", "seconds", "rows read, each", "rows written, each"];
  const verdict =
    differences.count === 0
      ? "All is as in the model."
      : `${differences.count} differences:\n${differences.first.join("\n")}`;
  return `${table(head, rows)}\n\n${load}\n${verdict}`;
}
