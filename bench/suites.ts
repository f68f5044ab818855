import type { Row } from "./row.ts";
import { calls } from "./rows/calls.ts";
import { coldRedirects } from "./rows/cold.ts";
import { redirects } from "./rows/redirects.ts";
import { questions } from "./rows/analytics.ts";
import { webhooks } from "./rows/webhooks.ts";
import { startMetered } from "./metered/server.ts";
import type { Recorded } from "./metered/operations.ts";
import { startServer } from "./server.ts";

/** Rows that share a runtime, in their order. */
interface Suite<Server extends Stoppable> {
  start: (recorded: Recorded) => Promise<Server>;
  rows: Row<Server>[];
}

interface Stoppable {
  stop(): Promise<void>;
}

/** Calls `measure` with each of the chosen rows and its server. */
export interface Chosen {
  names: string[];
  run(recorded: Recorded, measure: <Server>(row: Row<Server>, server: Server) => Promise<void>): Promise<void>;
}

const service = { start: startServer, rows: [...redirects, ...coldRedirects, ...calls, webhooks] };
const analytics = { start: startMetered, rows: questions };

/** The rows with these names, or with a name that begins so; all without any. */
export function chooseRows(wanted: string[]): Chosen[] {
  const isWanted = ({ name }: { name: string }) =>
    wanted.length === 0 || wanted.some((each) => name === each || name.startsWith(`${each}-`));
  const choose = <Server extends Stoppable>({ start, rows }: Suite<Server>): Chosen => {
    const chosen = rows.filter(isWanted);
    return {
      names: chosen.map(({ name }) => name),
      async run(recorded, measure) {
        const server = await start(recorded);
        try {
          for (const row of chosen) await measure(row, server);
        } finally {
          await server.stop();
        }
      },
    };
  };
  const suites = [choose(service), choose(analytics)].filter(({ names }) => names.length > 0);
  const known = [...service.rows, ...analytics.rows].map(({ name }) => name);
  for (const each of wanted)
    if (!known.some((name) => name === each || name.startsWith(`${each}-`)))
      throw new Error(`There is no row "${each}"; there are ${known.join(", ")}.`);
  return suites;
}
