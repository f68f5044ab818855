import { openAsBlob, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { Import, UpdateImport, ImportSource, Tern } from "@tern/sdk";
import { Option, type Command } from "commander";
import { readBytes } from "../client.ts";
import { addImportJobs } from "./import-jobs.ts";
import { action, type Context } from "../context.ts";
import { RefusedError, UsageError } from "../errors.ts";
import { interruptible } from "../interrupt.ts";
import { printImportPreview, printImportResult } from "../imports/print-import.ts";
import { addExamples, collect, pick } from "../options.ts";
import { addForce, checkOutput, isFile, writeOutput, type FileOptions } from "../output/file.ts";
import { canAsk, clearProgress, note, showProgress } from "../output/terminal.ts";
import { count, formatNumber } from "../output/text.ts";
import { pollUntil } from "../poll.ts";
import { confirm, readStdin } from "../prompt.ts";

const SOURCES = [
  "auto",
  "bitly",
  "dub",
  "shlink",
  "kutt",
  "redirection",
  "yourls",
  "shortio",
  "rebrandly",
  "sink",
  "tern",
  "csv",
];
const JSON_EXTENSIONS = new Set([".json", ".jsonl", ".ndjson"]);
/** A file of 50 MB on a slow line. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000;
const CANCEL_TIMEOUT_MS = 3_000;

interface ImportOptions extends FileOptions {
  from: ImportSource;
  map?: string[];
  dead?: "skip" | "disable";
  taken?: "skip" | "rename";
  domains?: "default" | "skip";
  events?: boolean;
  failures?: string;
  dryRun?: boolean;
  yes?: boolean;
}

export function addImport(program: Command): void {
  const command = program
    .command("import")
    .description("create the links of a file that another service exported, after a preview")
    .argument("<file>", "a CSV or JSON file; - is stdin")
    .addOption(new Option("--from <service>", "the service that the file comes from").choices(SOURCES).default("auto"))
    .option("--map <column=field>", "what a column is, such as Address=url; can be repeated", collect)
    .addOption(new Option("--dead <how>", "links that the old service has deleted").choices(["skip", "disable"]))
    .addOption(new Option("--taken <how>", "links whose slug is taken").choices(["skip", "rename"]))
    .addOption(
      new Option("--domains <how>", "links of hosts that are no domain of the account").choices(["default", "skip"]),
    )
    .option("--events", "send link.create to webhooks for each link")
    .option("--failures <file>", "write the rows that were not imported to this CSV file")
    .option("--dry-run", "only show the preview")
    .option("--yes", "start without asking")
    .action(action(importFile));
  addExamples(addForce(command, "--failures"), [
    "tern import bitly.csv --from bitly",
    "tern import links.csv --map Address=url --map Name=slug --dry-run",
    "tern import bitly.csv --from bitly --yes --failures failures.csv",
  ]);
  addImportJobs(command);
}

async function importFile(context: Context<ImportOptions>, file: string): Promise<void> {
  const { client, options } = context;
  const { dryRun = false, yes = false } = options;
  if (!dryRun && !yes && !canAsk())
    throw new UsageError("Nobody can answer here: add --yes, or --dry-run for the preview.");
  if (options.failures !== undefined) checkOutput(options.failures, options);
  const changes = changesOf(options);
  const upload = await fileOf(file);
  const ready = await readImport(client, upload, options.from, changes);
  if (ready.status !== "ready") throw new RefusedError(`The file cannot be imported: ${reasonOf(ready)}`);
  if (!context.isJson) printImportPreview(ready);
  if (dryRun) {
    await client.imports.cancel(ready.id);
    if (context.isJson) context.showJson(ready);
    return;
  }
  try {
    checkMapping(ready);
    await confirm(`Import ${count(ready.rows, "link")}?`, yes);
  } catch (error) {
    await client.imports.cancel(ready.id);
    throw error;
  }
  const ended = await runImport(client, ready.id);
  context.show(ended, () => printImportResult(ended, options.failures));
  await saveFailures(context, ended);
  if (ended.status !== "done") throw new RefusedError(`The import ended early: ${reasonOf(ended)}`);
  if (ended.failed > 0) throw new RefusedError(`${count(ended.failed, "link")} could not be imported.`);
}

/** Names options in place of the parameters of the API. */
function reasonOf({ error, status }: Import): string {
  return error?.replaceAll(/\bsource=/g, "--from ") ?? status;
}

/** Uploads the file, and waits until the service has read it with the choices. */
async function readImport(client: Tern, file: Blob, source: ImportSource, changes: UpdateImport): Promise<Import> {
  let id: string | undefined;
  const cancel = async () => {
    note("Cancelled. Nothing was imported.");
    // What stays at the service is deleted 7 days later.
    if (id !== undefined)
      await client.imports.cancel(id, { maxRetries: 0, timeoutMs: CANCEL_TIMEOUT_MS }).catch(() => undefined);
  };
  return interruptible(cancel, async () => {
    ({ id } = await client.imports.upload(file, { source }, { timeoutMs: UPLOAD_TIMEOUT_MS }));
    const read = await waitWhile(client, id, "reading", "Reading");
    if (read.status !== "ready" || Object.keys(changes).length === 0) return read;
    try {
      await client.imports.update(id, changes);
    } catch (error) {
      await client.imports.cancel(id);
      throw error;
    }
    return waitWhile(client, id, "reading", "Checking");
  });
}

async function fileOf(file: string): Promise<Blob> {
  const type = JSON_EXTENSIONS.has(extname(file).toLowerCase()) ? "application/json" : "text/csv";
  if (file !== "-") {
    try {
      // A pipe, such as that of <(command), is read now.
      return isFile(file) ? await openAsBlob(file, { type }) : new Blob([readFileSync(file)], { type });
    } catch (error) {
      throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
    }
  }
  const content = await readStdin();
  const isJson = /^\s*[[{]/.test(content.subarray(0, 100).toString("utf8"));
  return new Blob([new Uint8Array(content)], { type: isJson ? "application/json" : "text/csv" });
}

function changesOf(options: ImportOptions): UpdateImport {
  const { map } = options;
  const mapping = map?.map((text) => {
    const at = text.lastIndexOf("=");
    if (at < 1) throw new UsageError(`--map ${text}: write the name of a column, = and a field, such as Address=url.`);
    return [text.slice(0, at), text.slice(at + 1) || null];
  });
  return {
    ...pick(options, ["dead", "taken", "domains", "events"]),
    ...(mapping !== undefined && { mapping: Object.fromEntries(mapping) as UpdateImport["mapping"] }),
  } as UpdateImport;
}

function checkMapping({ mapping, columns }: Import): void {
  const fields = Object.values(mapping);
  if (fields.includes("url")) return;
  throw new UsageError(
    `No column has the destinations. Say which one: --map "${columns[0] ?? "Address"}=url". The columns are: ${columns.join(", ")}`,
  );
}

async function runImport(client: Tern, id: string): Promise<Import> {
  const sayHowToFollow = () => {
    note("The import goes on at the service. To follow it: tern import list");
    note(`To stop it: tern import cancel ${id}`);
  };
  await client.imports.start(id);
  return interruptible(sayHowToFollow, () => waitWhile(client, id, "running", "Importing")).catch((error: unknown) => {
    clearProgress();
    sayHowToFollow();
    throw error;
  });
}

async function waitWhile(client: Tern, id: string, status: Import["status"], verb: string): Promise<Import> {
  const ended = await pollUntil(
    () => client.imports.get(id),
    (state) => state.status !== status,
    ({ progress: { done, total } }) => showProgress(`${verb} ${formatNumber(done)} of ${formatNumber(total)} …`),
  );
  clearProgress();
  return ended;
}

async function saveFailures({ client, options, isJson }: Context<ImportOptions>, { id }: Import): Promise<void> {
  const { failures } = options;
  if (failures === undefined) return;
  const response = await client.imports.downloadFailures(id);
  writeOutput(failures, await readBytes(response));
  if (!isJson) note(`The rows that were not imported are in ${failures}.`);
}
