import type { EventName, Webhook } from "@tern/sdk";
import { Option, type Command } from "commander";
import { action, type Context } from "../context.ts";
import { RefusedError, UsageError } from "../errors.ts";
import { findId } from "../find-by-name.ts";
import { findLinkId } from "../links/find-link.ts";
import { addExamples, collect } from "../options.ts";
import { printDetails, printTable, type Column } from "../output/table.ts";
import { isTerminal, note, print } from "../output/terminal.ts";
import { addListOptions, readList, type ListOptions } from "../pages.ts";
import { confirm } from "../prompt.ts";
import { addDeliveries } from "./deliveries.ts";

const WEBHOOK = "an id or the URL of a webhook";

interface WebhookOptions {
  url?: string;
  event?: EventName[];
  link?: string[];
  tag?: string[];
  clear?: string[];
  status?: "active" | "inactive";
  format?: Webhook["format"];
}

export function addWebhooks(program: Command): void {
  const webhooks = program.command("webhooks").description("list, create, change, test and delete webhooks");
  addExamples(
    addListOptions(webhooks.command("list").description("list the webhooks of the account")).action(
      action(listWebhooks),
    ),
    ["tern webhooks list"],
  );
  addExamples(
    webhooks.command("get").description("show a webhook").argument("<webhook>", WEBHOOK).action(action(getWebhook)),
    ["tern webhooks get https://example.com/hooks/tern"],
  );
  addChanges(webhooks);
  addExamples(
    webhooks
      .command("delete")
      .description("delete a webhook; events that wait are not sent")
      .argument("<webhook>", WEBHOOK)
      .option("--yes", "do not ask")
      .action(action(deleteWebhook)),
    ["tern webhooks delete https://example.com/hooks/tern --yes"],
  );
  addExamples(
    webhooks
      .command("ping")
      .description("send a test event, and show what the receiver responds")
      .argument("<webhook>", WEBHOOK)
      .action(action(pingWebhook)),
    ["tern webhooks ping https://example.com/hooks/tern"],
  );
  addExamples(
    webhooks
      .command("rotate-secret")
      .description("make a new secret; the former one signs for another 24 hours")
      .argument("<webhook>", WEBHOOK)
      .option("--yes", "do not ask")
      .action(action(rotateSecret)),
    ["tern webhooks rotate-secret https://example.com/hooks/tern"],
  );
  addDeliveries(webhooks, findWebhook);
}

const FORMATS: Webhook["format"][] = ["event", "slack", "discord", "teams"];

const addSettings = (command: Command): Command =>
  command
    .option("--event <event>", "an event to send, such as link.create; can be repeated", collect)
    .option("--link <link>", "only events of this link; can be repeated", collect)
    .option("--tag <tag>", "only events of links with this tag; can be repeated", collect)
    .addOption(
      new Option("--format <format>", "what is sent: the event, or a message for a chat service").choices(FORMATS),
    );

function addChanges(webhooks: Command): void {
  addExamples(
    addSettings(webhooks.command("create").description("create a webhook; in a pipe, only its secret is printed"))
      .argument("<url>", "where events are sent")
      .action(action(createWebhook)),
    [
      "tern webhooks create https://example.com/hooks/tern --event link.create --event link.click",
      "tern webhooks create https://hooks.example.com/services/T0/B0/abc --event link.create --format slack",
    ],
  );
  addExamples(
    addSettings(webhooks.command("update").description("change a webhook"))
      .argument("<webhook>", WEBHOOK)
      .option("--url <url>", "where events are sent from now on")
      .addOption(new Option("--status <status>", "active sends what waited").choices(["active", "inactive"]))
      .addOption(new Option("--clear <field...>", "events of all links").choices(["linkIds", "tags"]))
      .action(action(updateWebhook)),
    [
      "tern webhooks update https://example.com/hooks/tern --status active",
      "tern webhooks update https://example.com/hooks/tern --event link.create --clear tags",
    ],
  );
}

const COLUMNS: Column<Webhook>[] = [
  { title: "URL", value: ({ url }) => url, flexible: true },
  { title: "STATUS", value: ({ status }) => status, style: ({ status }) => (status === "active" ? "green" : "yellow") },
  { title: "FAILURES", value: ({ failureCount }) => failureCount },
  { title: "EVENTS", value: ({ events }) => events.join(","), flexible: true },
  { title: "ID", value: ({ id }) => id },
];

async function listWebhooks(context: Context<ListOptions>): Promise<void> {
  const webhooks = await readList((page) => context.client.webhooks.list(page), context.options);
  context.show(webhooks, () => (webhooks.length === 0 ? note("No webhooks.") : printTable(COLUMNS, webhooks)));
}

async function getWebhook(context: Context, text: string): Promise<void> {
  const webhook = await context.client.webhooks.get(await findWebhook(context, text));
  context.show(webhook, () => printWebhook(webhook));
}

async function createWebhook(context: Context<WebhookOptions>, url: string): Promise<void> {
  const { event, format } = context.options;
  if (event === undefined) throw new UsageError("Name the events to send: --event link.create");
  const webhook = await context.client.webhooks.create({
    url,
    events: event,
    ...(format !== undefined && { format }),
    ...(await filtersOf(context)),
  });
  context.show(webhook, () => printSecret(webhook));
}

async function updateWebhook(context: Context<WebhookOptions>, text: string): Promise<void> {
  const { url, event, format, status, clear = [] } = context.options;
  const changes = {
    ...(url !== undefined && { url }),
    ...(event !== undefined && { events: event }),
    ...(format !== undefined && { format }),
    ...(status !== undefined && { status }),
    ...(await filtersOf(context)),
    ...Object.fromEntries(clear.map((field) => [field, null])),
  };
  if (Object.keys(changes).length === 0) throw new UsageError("Name what to change, such as --event or --status.");
  const id = await findWebhook(context, text);
  const webhook = await context.client.webhooks.update(id, changes);
  context.show(webhook, () => printWebhook(webhook));
}

async function filtersOf({
  client,
  options,
}: Context<WebhookOptions>): Promise<{ linkIds?: string[]; tags?: string[] }> {
  const linkIds: string[] = [];
  for (const link of options.link ?? []) linkIds.push(await findLinkId(client, link));
  return { ...(linkIds.length > 0 && { linkIds }), ...(options.tag !== undefined && { tags: options.tag }) };
}

async function deleteWebhook(context: Context<{ yes?: boolean }>, text: string): Promise<void> {
  const id = await findWebhook(context, text);
  await confirm(`Delete the webhook ${text}? Events that wait are not sent.`, context.options.yes === true);
  await context.client.webhooks.delete(id);
  context.show({ id, deleted: true }, () => print(`Deleted the webhook ${text}.`));
}

async function pingWebhook(context: Context, text: string): Promise<void> {
  const result = await context.client.webhooks.sendTestPing(await findWebhook(context, text));
  context.show(result, () => {
    if (result.success) print(`The receiver responded with ${result.status}.`);
  });
  if (result.success) return;
  const response = result.status === 0 ? "" : `${result.status} `;
  throw new RefusedError(`The receiver did not accept the event: ${response}${result.statusText}.`);
}

async function rotateSecret(context: Context<{ yes?: boolean }>, text: string): Promise<void> {
  const id = await findWebhook(context, text);
  await confirm(`Make a new secret for ${text}? The present one ends in 24 hours.`, context.options.yes === true);
  const webhook = await context.client.webhooks.rotateSecret(id);
  context.show(webhook, () => printSecret(webhook));
}

function findWebhook(context: Context, text: string): Promise<string> {
  const matches = ({ url }: Webhook) => url === text;
  return findId((page) => context.client.webhooks.list(page), text, { noun: "webhook", matches });
}

/** In a pipe only the secret, so that it can be stored at once. */
function printSecret({ id, url, secret }: Pick<Webhook, "id" | "url" | "secret">): void {
  if (isTerminal()) {
    printDetails({ id, url });
    note("The secret that signs its events. It cannot be shown again:");
  }
  print(secret);
}

function printWebhook(webhook: Webhook): void {
  printDetails({
    id: webhook.id,
    url: webhook.url,
    events: webhook.events.join(", "),
    format: webhook.format,
    links: webhook.linkIds?.join(", "),
    tags: webhook.tags?.join(", "),
    status: webhook.status,
    failures: webhook.failureCount,
    disabled: webhook.disabledReason ?? undefined,
    lastSuccess: webhook.lastTriggeredAt === null ? undefined : new Date(webhook.lastTriggeredAt),
  });
}
