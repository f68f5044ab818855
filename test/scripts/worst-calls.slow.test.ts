import { afterAll, beforeAll, expect, it } from "vitest";
import { startInstrumented, type InstrumentedServer } from "../../bench/instrumented/server.ts";
import { fillAccount, type FilledAccount } from "../../bench/worst-calls/account.ts";
import { learnCall, makeCall } from "../../bench/worst-calls/calls.ts";
import { fillCollections } from "../../bench/worst-calls/collections.ts";
import { CALLS } from "../../bench/worst-calls/requests.ts";

/** The account is filled through the API, which takes long on a busy machine. */
const TIMEOUT_MS = 900_000;

let server: InstrumentedServer;
let account: FilledAccount;

beforeAll(async () => {
  server = await startInstrumented("bench/workers/receiver.js", { bindings: { SCREENING: "on" } });
  account = await fillAccount(server, { links: 500, clicks: 500 });
  await fillCollections(account);
}, TIMEOUT_MS);
afterAll(() => server.stop());

it("makes the largest call of each operation, which is accepted again and again", { timeout: TIMEOUT_MS }, async () => {
  const failed: string[] = [];
  for (const call of CALLS) {
    try {
      await learnCall(account, call);
      await server.control();
      const { status, text } = await account.send(await makeCall(account, call));
      if (status >= 300) failed.push(`${call.operation}: ${status} ${text.slice(0, 300)}`);
    } catch (error) {
      failed.push(`${call.operation}: ${String(error)}`);
    }
    await server.control();
  }
  expect(failed).toEqual([]);
});
