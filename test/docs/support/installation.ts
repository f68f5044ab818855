import { createAccount } from "../../e2e/support/accounts.ts";
import { startReceiver, type Receiver } from "../../e2e/support/receiver.ts";
import { startService, type Isolate, type Service } from "../../e2e/support/service.ts";
import { TERN } from "../../packages/cli/support/tern.ts";
import { startGateway, type Gateway } from "../../packages/sdk/support/gateway.ts";
import { startDns, type Dns } from "./dns.ts";
import { startShell, type Shell } from "./shell.ts";

const SERVICE_HOST = "localhost:8787";

/** The built service, a receiver of webhooks and a DNS resolver. */
export interface Installation {
  service: Service<"here">;
  here: Isolate;
  receiver: Receiver;
  dns: Dns;
  /** The address of the service for clients that send its own host. */
  gateway: Gateway;
  /** Starts a shell with the variables that the documents use, for a new account. The mails of other pages are deleted. */
  openShell(): Promise<Shell>;
  stop(): Promise<void>;
}

export async function startInstallation(): Promise<Installation> {
  const dns = await startDns("localhost", () => service.db);
  const receiver = await startReceiver();
  const service: Service<"here"> = await startService(
    { here: "one" },
    {
      variables: {
        BASE_URL: `http://${SERVICE_HOST}`,
        DNS_OVER_HTTPS_URL: dns.url,
        WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
        // As installed.
        NOT_RECORDED: "",
      },
    },
  );
  const { here } = service.isolates;
  const gateway = await startGateway(here.address, SERVICE_HOST);
  return {
    service,
    here,
    receiver,
    dns,
    gateway,
    async openShell() {
      const { key } = await createAccount(service.db);
      await service.db.prepare("DELETE FROM mails").run();
      return startShell({
        API: here.address.origin,
        KEY: key,
        HOOK: `${receiver.origin}/hooks/tern`,
        SERVICE_HOST,
        TERN,
        TERN_API_KEY: key,
        TERN_BASE_URL: gateway.origin,
      });
    },
    async stop() {
      await gateway.stop();
      await service.stop();
      await receiver.stop();
      dns.stop();
    },
  };
}
