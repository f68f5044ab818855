import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { Export, StartExport, Tern } from "@tern/sdk";
import { Argument, Option, type Command } from "commander";
import { brokenConnection } from "../client.ts";
import { action, type Context } from "../context.ts";
import { RefusedError, UsageError } from "../errors.ts";
import { interruptible } from "../interrupt.ts";
import { findLinkId } from "../links/find-link.ts";
import { addExamples, collect, pick } from "../options.ts";
import { addForce, cannotWrite, checkOutput, isFile, type FileOptions } from "../output/file.ts";
import { clearProgress, isTerminal, print, showProgress } from "../output/terminal.ts";
import { escapeUnsafe, formatNumber } from "../output/text.ts";
import { pollUntil } from "../poll.ts";

const KINDS = ["links", "clicks", "qr"] as const;
const EXTENSIONS: Record<Export["format"], string> = { csv: "csv", json: "json", svg: "zip", png: "zip" };
const FILTERS = [
  "search",
  "tag",
  "domain",
  "status",
  "archived",
  "createdAfter",
  "createdBefore",
  "interval",
  "start",
  "end",
  "timezone",
  "country",
  "bots",
] as const;

interface ExportOptions extends FileOptions {
  format?: Export["format"];
  output?: string;
  link?: string[];
  /** false: `--no-domain-style`. */
  domainStyle?: boolean;
}

export function addExport(program: Command): void {
  const command = program
    .command("export")
    .description("download links, clicks or QR codes as a file; to stdout in a pipe")
    .addArgument(new Argument("[kind]", "what to export").choices(KINDS).default("links"))
    .addOption(
      new Option("--format <format>", "links: csv or json; QR codes: svg or png").choices(Object.keys(EXTENSIONS)),
    )
    .option("-o, --output <file>", "where to write the file; - is stdout")
    .option("--link <link>", "only this link; can be repeated", collect)
    .option("--tag <tag>", "only links with this tag; can be repeated", collect)
    .option("--domain <domain>", "only links on this domain")
    .option("--no-domain-style", "QR codes: without the styles of the links' domains")
    .option("--search <text>", "links: words in slug, title, external id or URL, in any order")
    .addOption(
      new Option("--status <status>", "links: with this status").choices([
        "active",
        "scheduled",
        "expired",
        "disabled",
      ]),
    )
    .addOption(new Option("--archived <mode>", "links: archived ones").choices(["exclude", "include", "only"]))
    .option("--created-after <time>", "links: created at this time or later")
    .option("--created-before <time>", "links: created before this time")
    .option("--interval <interval>", "clicks: the period, such as 7d or 1y")
    .option("--start <time>", "clicks: the beginning of a period of your own")
    .option("--end <time>", "clicks: its end")
    .option("--timezone <name>", "clicks: of the times in the file, such as Europe/Berlin (default: UTC)")
    .option("--country <code>", "clicks: from this country; can be repeated", collect)
    .addOption(new Option("--bots <mode>", "clicks: those of crawlers").choices(["exclude", "include", "only"]))
    .action(action(exportFile));
  addExamples(addForce(command, "--output"), [
    "tern export --tag sale --output links.csv",
    "tern export clicks --interval 90d | gzip > clicks.csv.gz",
    "tern export qr --format png --output codes.zip",
  ]);
}

async function exportFile(context: Context<ExportOptions>, kind: (typeof KINDS)[number]): Promise<void> {
  const { client, options } = context;
  const output = options.output ?? (isTerminal() || context.isJson ? undefined : "-");
  if (output === "-" && context.isJson) throw new UsageError("--json needs stdout: name a file with --output.");
  if (output !== undefined && output !== "-") checkOutput(output, options);
  const request = await requestOf(context, kind);
  const format = options.format ?? (kind === "qr" ? "svg" : "csv");
  if (output === "-" && kind === "qr" && isTerminal())
    throw new UsageError("A ZIP file cannot be shown in a terminal.");
  const file = output ?? newFileName(kind, format);
  const done = await runExport(client, request);
  const response = await client.exports.download(done.id);
  if (file === "-") await printFileOf(response);
  else if (existsSync(file) && !isFile(file)) await save(response, file);
  else await saveWhole(response, file);
  if (file === "-") return;
  context.show({ ...done, file }, () => print(`Wrote ${file} (${formatNumber(done.progress.done)} records).`));
}

async function requestOf({ client, options }: Context<ExportOptions>, kind: string): Promise<StartExport> {
  const ids: string[] = [];
  for (const link of options.link ?? []) ids.push(await findLinkId(client, link));
  return {
    kind,
    ...pick(options as Record<string, unknown>, ["format", ...FILTERS]),
    ...(options.domainStyle === false && { domainStyle: false }),
    ...(ids.length > 0 && { [kind === "clicks" ? "linkIds" : "ids"]: ids }),
  } as StartExport;
}

/** A name that no file has: without `--output` nothing is overwritten. */
function newFileName(kind: string, format: Export["format"]): string {
  const stem = `tern-${kind}-${new Date().toISOString().slice(0, 10)}`;
  for (let number = 1; ; number++) {
    const name = `${stem}${number === 1 ? "" : `-${number}`}.${EXTENSIONS[format]}`;
    if (!existsSync(name)) return name;
  }
}

async function runExport(client: Tern, request: StartExport): Promise<Export> {
  const { id } = await client.exports.start(request);
  const ended = await pollUntil(
    () => client.exports.get(id),
    ({ status }) => status === "done" || status === "failed",
    ({ progress: { done, total } }) => showProgress(`Exporting ${formatNumber(done)} of ${formatNumber(total)} …`),
  );
  clearProgress();
  if (ended.status === "failed") throw new RefusedError(`The export failed: ${ended.error ?? "no reason is known"}`);
  return ended;
}

const streamOf = (response: Response): Readable => Readable.fromWeb(response.body as ReadableStream);

async function printFileOf(response: Response): Promise<void> {
  const body = streamOf(response);
  try {
    if (!isTerminal()) await pipeline(body, process.stdout, { end: false });
    else for await (const text of body.setEncoding("utf8")) process.stdout.write(escapeUnsafe(text as string));
  } catch (error) {
    // A reader that has read enough closes the pipe.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw brokenConnection(response, error);
  }
}

/** A file that could not be written to its end is not there, unless the command is killed: then it ends in `.part`. */
async function saveWhole(response: Response, file: string): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  const removeDraft = () => rmSync(draft, { force: true });
  try {
    await interruptible(removeDraft, () => save(response, draft));
    renameSync(draft, file);
  } catch (error) {
    removeDraft();
    throw error;
  }
}

async function save(response: Response, file: string): Promise<void> {
  try {
    await pipeline(streamOf(response), createWriteStream(file));
  } catch (error) {
    throw error instanceof Error && "syscall" in error ? cannotWrite(file, error) : brokenConnection(response, error);
  }
}
