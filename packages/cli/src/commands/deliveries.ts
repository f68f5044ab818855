import type { Delivery, EventName } from "@tern/sdk";
import { Option, type Command } from "commander";
import { action, type Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { checkId } from "../links/find-link.ts";
import { addExamples, pick } from "../options.ts";
import { printDetails, printTable, type Column } from "../output/table.ts";
import { note, print } from "../output/terminal.ts";
import { count } from "../output/text.ts";
import { addListOptions, readList, type ListOptions } from "../pages.ts";

type FindWebhook = (context: Context, text: string) => Promise<string>;

interface DeliveryOptions extends ListOptions {
  status?: Delivery["status"];
  event?: EventName;
  start?: string;
  end?: string;
}

/** Adds the commands for the delivery log of a webhook. */
export function addDeliveries(webhooks: Command, findWebhook: FindWebhook): void {
  const list = webhooks
    .command("deliveries")
    .description("list the events that were sent to a webhook, or show one with its bodies")
    .argument("<webhook>", "an id or the URL of a webhook")
    .argument("[delivery]", "the id of a delivery")
    .addOption(new Option("--status <status>", "only these").choices(["pending", "delivered", "failed", "dropped"]))
    .option("--event <event>", "only this event")
    .option("--start <time>", "events from this time on")
    .option("--end <time>", "events before this time")
    .action(
      action(async (context: Context<DeliveryOptions>, text: string, delivery: string | undefined) => {
        const id = await findWebhook(context, text);
        await (delivery === undefined ? listDeliveries(context, id) : getDelivery(context, id, delivery));
      }),
    );
  addExamples(addListOptions(list), [
    "tern webhooks deliveries https://example.com/hooks/tern --status failed",
    "tern webhooks deliveries https://example.com/hooks/tern 019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  ]);
  addExamples(
    webhooks
      .command("retry")
      .description("send one event again, or all since a time that failed or wait")
      .argument("<webhook>", "an id or the URL of a webhook")
      .argument("[delivery]", "the id of a delivery")
      .option("--since <time>", "without a delivery: the time, such as 2030-01-31T12:00Z")
      .action(
        action(async (context: Context<{ since?: string }>, text: string, delivery: string | undefined) => {
          await retry(context, await findWebhook(context, text), delivery);
        }),
      ),
    [
      "tern webhooks retry https://example.com/hooks/tern 019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      "tern webhooks retry https://example.com/hooks/tern --since 2030-01-31",
    ],
  );
}

const STYLES = { delivered: "green", pending: "yellow", failed: "red", dropped: "red" } as const;

const COLUMNS: Column<Delivery>[] = [
  { title: "ID", value: ({ id }) => id },
  { title: "EVENT", value: ({ event }) => event },
  { title: "STATUS", value: ({ status }) => status, style: ({ status }) => STYLES[status] },
  { title: "CREATED", value: ({ createdAt }) => new Date(createdAt) },
  { title: "ATTEMPTS", value: ({ attempts }) => attempts.length },
  { title: "LAST RESULT", value: lastResult, flexible: true },
];

function lastResult({ attempts: [last] }: Delivery): string | null {
  if (last === undefined) return null;
  return [last.status || "", last.statusText ?? ""].filter(Boolean).join(" ");
}

async function listDeliveries(context: Context<DeliveryOptions>, id: string): Promise<void> {
  const query = pick(context.options, ["status", "event", "start", "end"]);
  const deliveries = await readList(
    (page) => context.client.webhooks.listDeliveries(id, { ...query, ...page }),
    context.options,
  );
  context.show(deliveries, () => (deliveries.length === 0 ? note("No deliveries.") : printTable(COLUMNS, deliveries)));
}

async function getDelivery(context: Context, webhookId: string, id: string): Promise<void> {
  checkId(id);
  const delivery = await context.client.webhooks.getDelivery(webhookId, id);
  context.show(delivery, () => {
    printDetails({
      id: delivery.id,
      event: delivery.event,
      status: delivery.status,
      created: new Date(delivery.createdAt),
      nextAttempt: delivery.nextAttemptAt === null ? undefined : new Date(delivery.nextAttemptAt),
      request: delivery.requestBody ?? "not kept",
      response: delivery.responseBody ?? undefined,
    });
    if (delivery.attempts.length === 0) return;
    print("");
    printTable<Delivery["attempts"][number]>(
      [
        { title: "ATTEMPT", value: ({ at }) => new Date(at) },
        { title: "STATUS", value: ({ status }) => status },
        { title: "RESULT", value: ({ statusText }) => statusText ?? "delivered" },
        { title: "MS", value: ({ durationMs }) => durationMs },
      ],
      delivery.attempts,
    );
  });
}

async function retry(context: Context<{ since?: string }>, webhookId: string, id: string | undefined): Promise<void> {
  const { since } = context.options;
  if ((id === undefined) === (since === undefined)) {
    throw new UsageError("Name one delivery, or a time with --since.");
  }
  if (id !== undefined) {
    checkId(id);
    const delivery = await context.client.webhooks.retryDelivery(webhookId, id);
    context.show(delivery, () => print(`The event ${delivery.event} is sent again.`));
    return;
  }
  const retried = await context.client.webhooks.retryDeliveries(webhookId, { since: since ?? "" });
  context.show({ retried }, () => print(`${count(retried, "event")} will be sent again.`));
}
