import type { Domain, QrStyle } from "@tern/sdk";
import { Option, type Command } from "commander";
import { action, type Context } from "../context.ts";
import { RefusedError, UsageError } from "../errors.ts";
import { findId } from "../find-by-name.ts";
import { addExamples } from "../options.ts";
import { printDetails, printTable, type Column } from "../output/table.ts";
import { note, print } from "../output/terminal.ts";
import { addListOptions, readList, type ListOptions } from "../pages.ts";
import { confirm } from "../prompt.ts";
import { addStyleOptions, styleOf, type StyleOptions } from "../qr-style.ts";

const DOMAIN = "an id or a host name";

export function addDomains(program: Command): void {
  const domains = program.command("domains").description("add, verify, change and delete custom domains");
  addExamples(
    addListOptions(domains.command("list").description("list the domains of the account")).action(action(listDomains)),
    ["tern domains list"],
  );
  addExamples(
    domains
      .command("get")
      .description("show a domain and its DNS records")
      .argument("<domain>", DOMAIN)
      .action(action(getDomain)),
    ["tern domains get go.acme.com"],
  );
  addExamples(
    domains
      .command("add")
      .description("add a domain, and show the DNS records that it needs")
      .argument("<domain>", "a host name")
      .option("--case-sensitive", "slugs that differ only in case are different links")
      .action(action(addDomain)),
    ["tern domains add go.acme.com"],
  );
  addExamples(
    domains
      .command("verify")
      .description("look up the DNS records of a domain")
      .argument("<domain>", DOMAIN)
      .action(action(verifyDomain)),
    ["tern domains verify go.acme.com"],
  );
  addUpdate(domains);
  addQrStyle(domains);
  addExamples(
    domains
      .command("delete")
      .description("delete a domain")
      .argument("<domain>", DOMAIN)
      .option("--force", "delete its links too")
      .option("--yes", "do not ask")
      .action(action(deleteDomain)),
    ["tern domains delete go.acme.com", "tern domains delete go.acme.com --force --yes"],
  );
}

interface UpdateOptions {
  rootUrl?: string;
  notFoundUrl?: string;
  caseSensitive?: boolean;
  pathForwarding?: boolean;
  nestedSlugs?: boolean;
  clear?: string[];
}

function addUpdate(domains: Command): void {
  const update = domains
    .command("update")
    .description("change a domain")
    .argument("<domain>", DOMAIN)
    .option("--root-url <url>", "where visitors of / go")
    .option("--not-found-url <url>", "where visitors of unknown links go")
    .option("--case-sensitive", "slugs that differ only in case are different links")
    .option("--no-case-sensitive", "slugs that differ only in case are the same link")
    .option("--path-forwarding", "links hand on the path after their slug")
    .option("--no-path-forwarding", "links do not")
    .option("--nested-slugs", "links may have slugs with slashes, such as docs/setup")
    .option("--no-nested-slugs", "links may not")
    .addOption(new Option("--clear <field...>", "clear these fields").choices(["rootUrl", "notFoundUrl"]))
    .action(action(updateDomain));
  addExamples(update, [
    "tern domains update go.acme.com --root-url https://acme.com/",
    "tern domains update go.acme.com --clear notFoundUrl",
  ]);
}

interface QrStyleOptions extends StyleOptions {
  remove?: boolean;
}

function addQrStyle(domains: Command): void {
  const command = domains
    .command("qr-style")
    .description("show the style of the QR codes of a domain's links; options replace the whole style")
    .argument("<domain>", DOMAIN);
  addStyleOptions(command).option("--remove", "the codes are plain again").action(action(qrStyle));
  addExamples(command, [
    "tern domains qr-style go.acme.com",
    "tern domains qr-style go.acme.com --foreground #12492b --dots rounded --logo bird.png",
    "tern domains qr-style go.acme.com --remove",
  ]);
}

const COLUMNS: Column<Domain>[] = [
  { title: "DOMAIN", value: ({ unicodeDomain }) => unicodeDomain, flexible: true },
  {
    title: "STATUS",
    value: ({ status }) => status,
    style: ({ status }) => (status === "verified" ? "green" : "yellow"),
  },
  { title: "VERIFIED", value: ({ verifiedAt }) => (verifiedAt === null ? null : new Date(verifiedAt)) },
  { title: "LOST", value: ({ lostAt }) => (lostAt === null ? null : new Date(lostAt)) },
  { title: "ID", value: ({ id }) => id },
];

async function listDomains(context: Context<ListOptions>): Promise<void> {
  const domains = await readList((page) => context.client.domains.list(page), context.options);
  context.show(domains, () => (domains.length === 0 ? note("No domains.") : printTable(COLUMNS, domains)));
}

async function getDomain(context: Context, text: string): Promise<void> {
  const domain = await context.client.domains.get(await findDomain(context, text));
  context.show(domain, () => printDomain(domain));
}

async function addDomain(context: Context<{ caseSensitive?: boolean }>, name: string): Promise<void> {
  const { caseSensitive } = context.options;
  const domain = await context.client.domains.add({ domain: name, ...(caseSensitive && { caseSensitive }) });
  context.show(domain, () => {
    printDomain(domain);
    note(`Set up these records at your DNS provider, then: tern domains verify ${domain.domain}`);
  });
}

async function verifyDomain(context: Context, text: string): Promise<void> {
  const result = await context.client.domains.verify(await findDomain(context, text));
  context.show(result, () => {
    printDomain(result.domain);
    for (const [type, values] of Object.entries(result.seen))
      note(`The DNS has ${type}: ${values.join(", ") || "nothing"}`);
  });
  if (!result.verified) {
    throw new RefusedError(
      `${result.domain.domain} is not verified. Correct the records; the DNS may need some minutes.`,
    );
  }
}

async function updateDomain(context: Context<UpdateOptions>, text: string): Promise<void> {
  const { rootUrl, notFoundUrl, caseSensitive, pathForwarding, nestedSlugs, clear = [] } = context.options;
  const changes = {
    ...(rootUrl !== undefined && { rootUrl }),
    ...(notFoundUrl !== undefined && { notFoundUrl }),
    ...(caseSensitive !== undefined && { caseSensitive }),
    ...(pathForwarding !== undefined && { pathForwarding }),
    ...(nestedSlugs !== undefined && { nestedSlugs }),
    ...Object.fromEntries(clear.map((field) => [field, null])),
  };
  if (Object.keys(changes).length === 0) {
    throw new UsageError("Name what to change, such as --root-url. See tern domains update --help.");
  }
  const domain = await context.client.domains.update(await findDomain(context, text), changes);
  context.show(domain, () => printDomain(domain));
}

async function qrStyle(context: Context<QrStyleOptions>, text: string): Promise<void> {
  const { client, options } = context;
  const style = styleOf(options);
  const isChange = Object.keys(style).length > 0;
  if (isChange && options.remove) throw new UsageError("--remove goes with no other option of the style.");
  const id = await findDomain(context, text);
  const { domains } = client;
  const kept =
    isChange || options.remove
      ? await domains.setQrStyle(id, { qrStyle: isChange ? style : null })
      : await domains.qrStyle(id);
  context.show(kept, () => printQrStyle(kept));
}

async function deleteDomain(context: Context<{ force?: boolean; yes?: boolean }>, text: string): Promise<void> {
  const { force, yes } = context.options;
  const id = await findDomain(context, text);
  await confirm(`Delete the domain ${text}${force ? " and all its links" : ""}?`, yes === true);
  await context.client.domains.delete(id, force === true ? { force: true } : {});
  context.show({ id, deleted: true }, () => print(`Deleted ${text}.`));
}

function findDomain(context: Context, text: string): Promise<string> {
  const wanted = text.toLowerCase();
  const matches = ({ domain, unicodeDomain }: Domain) => domain === wanted || unicodeDomain === wanted;
  return findId((page) => context.client.domains.list(page), text, { noun: "domain", matches });
}

function printQrStyle(style: QrStyle | null): void {
  if (style === null) note("The domain has no style. Its codes are plain.");
  // The logo is thousands of characters; --json has it.
  else printDetails({ ...style, ...(style.logo !== undefined && { logo: style.logo.replace(/;.*/, "") }) });
}

function printDomain(domain: Domain): void {
  printDetails({
    domain: domain.unicodeDomain,
    id: domain.id,
    status: domain.status,
    rootUrl: domain.rootUrl ?? undefined,
    notFoundUrl: domain.notFoundUrl ?? undefined,
    caseSensitive: domain.caseSensitive ? "yes" : undefined,
    pathForwarding: domain.pathForwarding ? "yes" : undefined,
    nestedSlugs: domain.nestedSlugs ? "yes" : undefined,
    lost: domain.lostAt === null ? undefined : new Date(domain.lostAt),
  });
  print("");
  printTable<Domain["records"][number]>(
    [
      { title: "TYPE", value: ({ type }) => type },
      { title: "NAME", value: ({ name }) => name },
      { title: "VALUE", value: (record) => (record.type === "certificate" ? record.status : record.value) },
      { title: "FOUND", value: ({ found }) => (found === null ? null : found ? "yes" : "no") },
    ],
    domain.records,
  );
}
