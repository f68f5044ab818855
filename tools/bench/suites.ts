import type { RecordedStatements } from "./instrumented/recorded.ts";
import { startInstrumented } from "./instrumented/server.ts";
import type { Row } from "./row.ts";
import { analytics } from "./rows/analytics.ts";
import { calls } from "./rows/calls.ts";
import { coldRedirects } from "./rows/cold.ts";
import { isolation, startIsolation } from "./rows/isolation.ts";
import { besideJobs, startJobs } from "./rows/jobs.ts";
import { besideSignIns, knownAddresses, startPersons } from "./rows/persons.ts";
import { redirects } from "./rows/redirects.ts";
import { startup, withoutServer } from "./rows/startup.ts";
import { webhooks } from "./rows/webhooks.ts";
import { startServer } from "./server.ts";

interface Stoppable {
  stop(): Promise<void>;
}

/** Rows that share a server. */
interface Suite {
  start: (recorded: RecordedStatements) => Promise<Stoppable>;
  rows: Row<Stoppable>[];
}

/** Checks that the rows belong to the server. The list of suites does not keep the server's type. */
const suite = <Server extends Stoppable>(
  start: (recorded: RecordedStatements) => Promise<Server>,
  rows: Row<Server>[],
) => ({ start, rows }) as unknown as Suite;

const SUITES = [
  suite(startServer, [...redirects, ...coldRedirects, ...calls, webhooks]),
  suite(() => startInstrumented(), analytics),
  suite(withoutServer, [startup]),
  suite(startIsolation, [isolation]),
  suite(startPersons, [...knownAddresses, besideSignIns]),
  suite(startJobs, besideJobs),
];

const matches = (name: string, wanted: string) => name === wanted || name.startsWith(`${wanted}-`);

/** The suites with the wanted rows, each by its name or the part before its hyphen; all rows if none is named. */
export function chooseRows(wanted: string[]): Suite[] {
  const known = SUITES.flatMap(({ rows }) => rows.map(({ name }) => name));
  const unknown = wanted.find((each) => !known.some((name) => matches(name, each)));
  if (unknown !== undefined) throw new Error(`There is no row "${unknown}"; the rows are ${known.join(", ")}.`);
  const isChosen = ({ name }: { name: string }) => wanted.length === 0 || wanted.some((each) => matches(name, each));
  const chosen = SUITES.map(({ start, rows }) => ({ start, rows: rows.filter(isChosen) }));
  return chosen.filter(({ rows }) => rows.length > 0);
}
