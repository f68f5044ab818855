import type { ApiKey, ListRequests, LoggedRequest, Permission } from "@tern/sdk";
import { Option, type Command } from "commander";
import { action, type Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { findId } from "../find-by-name.ts";
import { addExamples, collect, pick } from "../options.ts";
import { printDetails, printTable, type Column } from "../output/table.ts";
import { isTerminal, note, print } from "../output/terminal.ts";
import { addListOptions, readList, type ListOptions } from "../pages.ts";
import { confirm } from "../prompt.ts";

const KEY = "an id, a name, or the last 4 characters of the key";

export function addKeys(program: Command): void {
  const keys = program.command("keys").description("list, create, change and revoke API keys, and list their requests");
  addExamples(
    addListOptions(keys.command("list").description("list the keys of the account")).action(action(listKeys)),
    ["tern keys list", "tern keys list --json"],
  );
  addExamples(
    keys
      .command("create")
      .description("create a key; in a pipe, only its value is printed")
      .argument("<name>", "a name for people")
      .option(
        "--permission <permission>",
        "what it may do (default: all that the calling key may); can be repeated",
        collect,
      )
      .option("--expires-at <time>", "when it ends (default: as the calling key), such as 2030-01-31")
      .action(action(createKey)),
    [
      'tern keys create "Deploy script" --permission links:read --permission links:write',
      "tern keys create CI --expires-at 2030-01-31 | gh secret set TERN_API_KEY",
    ],
  );
  addExamples(
    keys
      .command("update")
      .description("change the name or the permissions of a key")
      .argument("<key>", KEY)
      .option("--name <name>", "the new name")
      .option("--permission <permission>", "all permissions that it has from now on; can be repeated", collect)
      .action(action(updateKey)),
    ['tern keys update CI --name "CI of the shop"', "tern keys update 0f0f --permission links:read"],
  );
  addExamples(
    keys
      .command("revoke")
      .description("end a key, at once and for ever")
      .argument("<key>", KEY)
      .option("--descendants", "also the keys that it created, those that these created, and so on")
      .option("--yes", "do not ask")
      .action(action(revokeKey)),
    ["tern keys revoke CI", "tern keys revoke 0f0f --descendants --yes"],
  );
  addRequests(keys);
}

function addRequests(keys: Command): void {
  addExamples(
    addListOptions(
      keys
        .command("requests")
        .description("list the API requests of the last 7 days")
        .argument("[key]", KEY)
        .addOption(new Option("--status <class>", "those with such a status").choices(STATUS_CLASSES))
        .addOption(new Option("--method <method>", "those with this method").choices(METHODS)),
    ).action(action(listRequests)),
    ["tern keys requests", "tern keys requests CI --status 4xx --all"],
  );
}

const COLUMNS: Column<ApiKey>[] = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name, flexible: true },
  { title: "ENDS IN", value: ({ lastFour }) => lastFour },
  { title: "STATUS", value: stateOf, style: (key) => (stateOf(key) === "active" ? "green" : "yellow") },
  { title: "LAST USED", value: ({ lastUsedAt }) => (lastUsedAt === null ? null : new Date(lastUsedAt)) },
  { title: "EXPIRES", value: ({ expiresAt }) => (expiresAt === null ? null : new Date(expiresAt)) },
];

function stateOf({ status, expired }: ApiKey): string {
  return status === "active" && expired ? "expired" : status;
}

async function listKeys(context: Context<ListOptions>): Promise<void> {
  const keys = await readList((page) => context.client.keys.list(page), context.options);
  context.show(keys, () => printTable(COLUMNS, keys));
}

const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

const REQUEST_COLUMNS: Column<LoggedRequest>[] = [
  { title: "TIME", value: ({ createdAt }) => new Date(createdAt) },
  { title: "METHOD", value: ({ method }) => method },
  { title: "PATH", value: ({ path }) => path, flexible: true },
  { title: "STATUS", value: ({ status }) => status, style: ({ status }) => (status < 400 ? "green" : "yellow") },
  { title: "MS", value: ({ durationMs }) => durationMs },
  { title: "REQUEST ID", value: ({ id }) => id },
];

type RequestOptions = ListOptions & Pick<ListRequests, "status" | "method">;

async function listRequests(context: Context<RequestOptions>, text?: string): Promise<void> {
  const { status, method } = context.options;
  const query = {
    ...(text !== undefined && { keyId: await findKey(context, text, true) }),
    ...(status !== undefined && { status }),
    ...(method !== undefined && { method }),
  };
  const requests = await readList((page) => context.client.keys.listRequests({ ...query, ...page }), context.options);
  context.show(requests, () => printTable(REQUEST_COLUMNS, requests));
}

interface KeyOptions {
  permission?: Permission[];
  expiresAt?: string;
}

async function createKey(context: Context<KeyOptions>, name: string): Promise<void> {
  const { permission, ...options } = context.options;
  const key = await context.client.keys.create({
    name,
    ...pick(options, ["expiresAt"]),
    ...(permission !== undefined && { permissions: permission }),
  });
  context.show(key, () => {
    if (isTerminal()) note(`The key ${key.name}. It cannot be shown again:`);
    print(key.value);
  });
}

async function updateKey(context: Context<{ name?: string; permission?: Permission[] }>, text: string): Promise<void> {
  const { name, permission } = context.options;
  if ((name ?? permission) === undefined) throw new UsageError("Name what to change: --name or --permission.");
  const key = await context.client.keys.update(await findKey(context, text), {
    ...(name !== undefined && { name }),
    ...(permission !== undefined && { permissions: permission }),
  });
  context.show(key, () => {
    printDetails({ id: key.id, name: key.name, permissions: key.permissions.join(", "), status: stateOf(key) });
  });
}

async function revokeKey(context: Context<{ descendants?: boolean; yes?: boolean }>, text: string): Promise<void> {
  const { descendants, yes } = context.options;
  const id = await findKey(context, text);
  await confirm(`Revoke the key ${text}${descendants ? " and its descendants" : ""}? This is permanent.`, yes === true);
  await context.client.keys.revoke(id, descendants === true ? { descendants: true } : {});
  context.show({ id, revoked: true }, () => print(`Revoked the key ${text}.`));
}

/** Of active keys, or of all. */
function findKey(context: Context, text: string, isAny = false): Promise<string> {
  const matches = ({ name, lastFour, status }: ApiKey) =>
    (isAny || status === "active") && (name === text || lastFour === text);
  return findId((page) => context.client.keys.list(page), text, { noun: isAny ? "key" : "active key", matches });
}
