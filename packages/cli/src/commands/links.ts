import type { Link, ListedLink, ListLinks, Tern } from "@tern/sdk";
import { Option, type Command } from "commander";
import { action, type Context } from "../context.ts";
import { RefusedError, UsageError } from "../errors.ts";
import { deleteEach, type Deletion } from "../links/delete-links.ts";
import { checkId, findLink, findLinkId } from "../links/find-link.ts";
import { addLinkOptions, linkFields, type LinkOptions } from "../links/link-options.ts";
import { addExamples, collect, pick } from "../options.ts";
import { printDetails, printTable, type Column } from "../output/table.ts";
import { note, print } from "../output/terminal.ts";
import { count } from "../output/text.ts";
import { addListOptions, readList, type ListOptions } from "../pages.ts";
import { confirm } from "../prompt.ts";

const LINK = "an id, a short URL, or a slug";

export function addLinks(program: Command): void {
  const links = program.command("links").description("list, create, change and delete links");
  addList(links);
  addExamples(links.command("get").description("show a link").argument("<link>", LINK).action(action(getLink)), [
    "tern links get spring-26",
    "tern links get https://go.example/spring-26 --json",
  ]);
  addExamples(
    addLinkOptions(links.command("create").description("create a link").argument("<url>", "the destination")).action(
      action(createLink),
    ),
    [
      "tern links create https://example.com/spring --slug spring-26 --tag sale",
      "tern links create https://example.com/ --expires-at 2030-01-31 --utm source=newsletter",
    ],
  );
  addUpdate(links);
  addExamples(
    links
      .command("delete")
      .description("delete links; they can be restored for 7 days")
      .argument("<link...>", LINK)
      .option("--yes", "do not ask")
      .action(action(deleteLinks)),
    ["tern links delete spring-26", "tern links delete spring-26 autumn-26 --yes"],
  );
  addExamples(
    links
      .command("restore")
      .description("restore a deleted link, within 7 days")
      .argument("<id>", "the id of the link, which tern links delete prints")
      .action(action(restoreLink)),
    ["tern links restore 019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f"],
  );
}

const FILTERS = [
  "search",
  "url",
  "externalId",
  "tag",
  "tagMode",
  "domain",
  "status",
  "verdict",
  "createdBy",
  "destination",
  "archived",
  "createdAfter",
  "createdBefore",
  "sort",
  "order",
] as const;

function addList(links: Command): void {
  const list = links
    .command("list")
    .description("list links, the newest first")
    .option("--search <text>", "words in slug, title, external id or URL, in any order")
    .option("--url <url>", "links with exactly this destination")
    .option("--external-id <id>", "the link with this external id")
    .option("--tag <tag>", "links with this tag; repeat it for several", collect)
    .addOption(new Option("--tag-mode <mode>", "with several tags").choices(["any", "all"]))
    .option("--domain <domain>", "links on this domain")
    .addOption(
      new Option("--status <status>", "links with this status").choices(["active", "scheduled", "expired", "disabled"]),
    )
    .addOption(
      new Option("--verdict <state>", "links with this verdict").choices(["allowed", "pending", "warned", "blocked"]),
    )
    .option(
      "--created-by <id>",
      "links that this key or person created; ! in front: all others; can be repeated",
      collect,
    )
    .addOption(new Option("--destination <state>", "links with such a destination").choices(["broken"]))
    .addOption(
      new Option("--archived <mode>", "whether to list archived links").choices(["exclude", "include", "only"]),
    )
    .option("--created-after <time>", "links created at this time or later")
    .option("--created-before <time>", "links created before this time")
    .option("--deleted", "deleted links that can be restored, without filters")
    .addOption(new Option("--sort <field>", "the order").choices(["createdAt", "clicks", "lastClickedAt"]))
    .addOption(new Option("--order <order>", "the direction").choices(["desc", "asc"]));
  addExamples(addListOptions(list).action(action(listLinks)), [
    "tern links list --sort clicks --limit 10",
    "tern links list --tag sale --status active",
    "tern links list --all --json | jq -r '.[].shortUrl'",
    "tern links list --deleted",
  ]);
}

const DELETED_COLUMNS: Column<ListedLink>[] = [
  { title: "SHORT URL", value: ({ shortUrl }) => shortUrl },
  { title: "ID", value: ({ id }) => id },
  { title: "RESTORE UNTIL", value: ({ deletesAt }) => (deletesAt === undefined ? null : new Date(deletesAt)) },
  { title: "DESTINATION", value: ({ url }) => url, flexible: true },
];

/** A blocked link leads nowhere, whatever its status. */
function stateOf({ status, verdict: { state } }: Link): string {
  return state === "blocked" || state === "warned" ? state : status;
}

const COLUMNS: Column<Link>[] = [
  { title: "SHORT URL", value: ({ shortUrl }) => shortUrl },
  { title: "CLICKS", value: ({ clicks }) => clicks },
  { title: "STATUS", value: stateOf, style: (link) => (stateOf(link) === "active" ? "green" : "yellow") },
  { title: "CREATED", value: ({ createdAt }) => new Date(createdAt) },
  { title: "DESTINATION", value: ({ url }) => url, flexible: true },
];

async function listLinks(
  context: Context<Omit<ListLinks, "deleted"> & ListOptions & { deleted?: boolean }>,
): Promise<void> {
  const { options, client } = context;
  const isDeleted = options.deleted === true;
  const filter = { ...pick(options, FILTERS), ...(isDeleted && { deleted: "only" as const }) };
  const links = await readList((page) => client.links.list({ ...filter, ...page }), options);
  const columns = isDeleted ? DELETED_COLUMNS : COLUMNS;
  context.show(links, () => (links.length === 0 ? note("No links.") : printTable(columns, links)));
}

async function getLink(context: Context, text: string): Promise<void> {
  const link = await findLink(context.client, text);
  context.show(link, () => printLink(link));
}

async function createLink(context: Context<LinkOptions>, url: string): Promise<void> {
  const link = await context.client.links.create({ url, ...(await linkFields(context.options)) });
  context.show(link, () => printLink(link));
}

/** Fields that `--clear` can clear, by the API's names. */
const CLEARABLE = [
  "title",
  "tags",
  "aliases",
  "startsAt",
  "expiresAt",
  "expiredUrl",
  "maxClicks",
  "externalId",
  "redirectStatus",
  "passParameters",
  "password",
  "ios",
  "android",
  "geo",
  "rules",
  "preview",
];

interface UpdateOptions extends LinkOptions {
  url?: string;
  clear?: string[];
  disable?: boolean;
  enable?: boolean;
  archive?: boolean;
  unarchive?: boolean;
}

function addUpdate(links: Command): void {
  const update = links
    .command("update")
    .description("change a link; what is not named stays as it is")
    .argument("<link>", LINK)
    .option("--url <url>", "the new destination");
  addLinkOptions(update)
    .addOption(new Option("--clear <field...>", "clear these fields").choices(CLEARABLE))
    .addOption(new Option("--disable", "end the link until it is enabled").conflicts("enable"))
    .option("--enable", "let a disabled link redirect again")
    .addOption(new Option("--archive", "hide the link from lists").conflicts("unarchive"))
    .option("--unarchive", "show an archived link in lists again")
    .action(action(updateLink));
  addExamples(update, [
    "tern links update spring-26 --url https://example.com/summer",
    "tern links update spring-26 --slug summer-26 --tag sale --tag print",
    "tern links update spring-26 --clear expiresAt maxClicks",
  ]);
}

async function updateLink(context: Context<UpdateOptions>, text: string): Promise<void> {
  const { url, clear = [], disable, enable, archive, unarchive } = context.options;
  const changes = {
    ...(url !== undefined && { url }),
    ...(await linkFields(context.options)),
    ...Object.fromEntries(clear.map((field) => [field, field === "aliases" ? [] : null])),
    ...((disable ?? enable) !== undefined && { disabled: disable === true }),
    ...((archive ?? unarchive) !== undefined && { archived: archive === true }),
  };
  if (Object.keys(changes).length === 0) {
    throw new UsageError("Name what to change, such as --title or --url. See tern links update --help.");
  }
  const link = await context.client.links.update(await findLinkId(context.client, text), changes);
  context.show(link, () => printLink(link));
}

async function deleteLinks(context: Context<{ yes?: boolean }>, texts: string[]): Promise<void> {
  const { client, options } = context;
  const links = await findAll(client, texts);
  const named = links.length === 1 ? links[0]?.shortUrl : count(links.length, "link");
  await confirm(`Delete ${named}? Visitors will get a 404.`, options.yes === true);
  const results: Deletion[] = [];
  for await (const result of deleteEach(client, links)) {
    results.push(result);
    if (!context.isJson) printDeletion(result);
  }
  if (context.isJson) context.showJson(results);
  const failed = results.filter(({ deleted }) => !deleted).length;
  if (failed > 0) throw new RefusedError(`${count(failed, "link")} of ${links.length} could not be deleted.`);
}

function printDeletion({ id, shortUrl, deleted, error }: Deletion): void {
  if (deleted) print(`Deleted ${shortUrl} (to undo: tern links restore ${id})`);
  else note(`${shortUrl} is not deleted: ${error}`);
}

async function findAll(client: Tern, texts: string[]): Promise<Link[]> {
  const links: Link[] = [];
  for (const text of texts) links.push(await findLink(client, text));
  return links;
}

async function restoreLink(context: Context, id: string): Promise<void> {
  checkId(id);
  const link = await context.client.links.restore(id);
  context.show(link, () => printLink(link));
}

function printLink(link: Link): void {
  printDetails({
    shortUrl: link.shortUrl,
    url: link.url,
    id: link.id,
    status: link.status,
    visitors: link.visitors === "redirect" ? undefined : link.visitors,
    title: link.title ?? undefined,
    tags: link.tags.join(", ") || undefined,
    aliases: link.aliases.join(", ") || undefined,
    clicks: link.clicks,
    lastClick: link.lastClickedAt === null ? undefined : new Date(link.lastClickedAt),
    starts: link.startsAt === null ? undefined : new Date(link.startsAt),
    expires: link.expiresAt === null ? undefined : new Date(link.expiresAt),
    expiredUrl: link.expiredUrl ?? undefined,
    maxClicks: link.maxClicks ?? undefined,
    passParameters: link.passParameters ? undefined : "no",
    password: link.hasPassword ? "yes" : undefined,
    archived: link.archived ? "yes" : undefined,
    externalId: link.externalId ?? undefined,
    createdBy: link.createdBy === null ? undefined : `${link.createdBy.type} ${link.createdBy.id}`,
    created: new Date(link.createdAt),
    updated: new Date(link.updatedAt),
  });
}
