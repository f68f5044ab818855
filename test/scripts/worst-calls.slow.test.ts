import { afterAll, beforeAll, expect, it } from "vitest";
import { startInstrumented, type InstrumentedServer } from "../../bench/instrumented/server.ts";
import { fillAccount, type FilledAccount } from "../../bench/worst-calls/account.ts";
import { WORST_CALLS } from "../../bench/worst-calls/calls/index.ts";

/** The account is filled through the API, which takes long on a busy machine. */
const TIMEOUT_MS = 900_000;

let server: InstrumentedServer;
let account: FilledAccount;

beforeAll(async () => {
  server = await startInstrumented("bench/workers/receiver.js", { bindings: { SCREENING: "on" } });
  account = await fillAccount(server, { links: 500, clicks: 500, webhooks: 2 });
}, TIMEOUT_MS);
afterAll(() => server.stop());

it(
  "makes the worst calls of all operations, again and again, of an account that is near its limits",
  { timeout: TIMEOUT_MS },
  async () => {
    const failed: string[] = [];
    for (const [operation, calls] of Object.entries(WORST_CALLS)) {
      for (const call of calls) {
        // Calls that are scarce take long to prepare.
        for (const n of call.isScarce === true ? [0] : [0, 1]) {
          const { status, text } = await account.send(await call.prepare(account, n));
          if (status >= 300) failed.push(`${operation} (${call.what}): ${status} ${text.slice(0, 300)}`);
          await server.control();
        }
      }
    }
    expect(failed).toEqual([]);
  },
);
