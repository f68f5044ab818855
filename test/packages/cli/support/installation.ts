import { afterAll, beforeAll } from "vitest";
import { createAccount } from "../../../e2e/support/accounts.ts";
import { startReceiver, type Receiver } from "../../../e2e/support/receiver.ts";
import { startService, type Isolate, type Service } from "../../../e2e/support/service.ts";
import { startDns } from "../../../docs/support/dns.ts";
import { startFront, type Front } from "./front.ts";
import { Tern } from "./tern.ts";

/** The built service, as the command reaches it, and a receiver of webhooks. */
interface Installation {
  front: Front;
  service: Service<"here">;
  here: Isolate;
  receiver: Receiver;
  /** A command with the key of a new account in its environment. */
  newTern(): Promise<Tern>;
  newKey(): Promise<string>;
  stop(): Promise<void>;
}

/** Of the test file that runs, see {@link prepareInstallation}. */
export let installation: Installation;
export let tern: Tern;

/** Starts an installation before the tests of a file, and ends it after them. */
export function prepareInstallation(variables: Record<string, string> = {}): void {
  beforeAll(async () => {
    installation = await startInstallation(variables);
    tern = await installation.newTern();
  });
  afterAll(() => installation.stop());
}

/** `variables` are those of the service beside the ones that the command needs. */
async function startInstallation(variables: Record<string, string> = {}): Promise<Installation> {
  const front = await startFront();
  const receiver = await startReceiver();
  const dns = await startDns("127.0.0.1", () => service.db);
  const service: Service<"here"> = await startService(
    { here: "one" },
    {
      variables: {
        BASE_URL: front.origin,
        DNS_OVER_HTTPS_URL: dns.url,
        WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
        ...variables,
      },
    },
  );
  const { here } = service.isolates;
  front.service = here.address;
  const newKey = async () => (await createAccount(service.db)).key;
  return {
    front,
    service,
    here,
    receiver,
    newKey,
    newTern: async () => new Tern({ TERN_API_KEY: await newKey(), TERN_BASE_URL: front.origin }),
    async stop() {
      await service.stop();
      await receiver.stop();
      front.stop();
      dns.stop();
    },
  };
}
