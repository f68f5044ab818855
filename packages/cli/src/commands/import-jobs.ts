import type { Import } from "@tern/sdk";
import type { Command } from "commander";
import { action, type Context } from "../context.ts";
import { addExamples } from "../options.ts";
import { printTable, type Column } from "../output/table.ts";
import { note, print } from "../output/terminal.ts";
import { addListOptions, readList, type ListOptions } from "../pages.ts";

const ACTIONS = {
  pause: "stop an import that runs, so that it can go on later",
  resume: "go on with an import that was paused",
  cancel: "end an import; what it has created stays",
  undo: "delete the links that an import created, but those that were changed since",
} as const;
type Action = keyof typeof ACTIONS;

/** The commands for imports that are at the service already. */
export function addImportJobs(imports: Command): void {
  addExamples(
    addListOptions(imports.command("list").description("list the imports of the account, the newest first")).action(
      action(listImports),
    ),
    ["tern import list", "tern import list --json"],
  );
  for (const [name, description] of Object.entries(ACTIONS) as [Action, string][]) {
    addExamples(
      imports
        .command(name)
        .description(description)
        .argument("<id>", "the id of the import, as tern import list shows it")
        .action(action((context: Context, id: string) => changeImport(context, name, id))),
      [`tern import ${name} 01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f`],
    );
  }
}

const COLUMNS: Column<Import>[] = [
  { title: "ID", value: ({ id }) => id },
  { title: "SOURCE", value: ({ source }) => source },
  { title: "STATUS", value: ({ status }) => status },
  { title: "ROWS", value: ({ rows }) => rows },
  { title: "CREATED", value: ({ created }) => created },
  { title: "LEFT OUT", value: ({ skipped }) => skipped },
  { title: "FAILED", value: ({ failed }) => failed },
  { title: "UPLOADED", value: ({ createdAt }) => new Date(createdAt) },
];

async function listImports(context: Context<ListOptions>): Promise<void> {
  const imports = await readList((page) => context.client.imports.list(page), context.options);
  context.show(imports, () => printTable(COLUMNS, imports));
}

async function changeImport(context: Context, name: Action, id: string): Promise<void> {
  const changed = await context.client.imports[name](id);
  context.show(changed, () => {
    print(`${changed.id}\t${changed.status}`);
    if (name === "undo" || name === "resume") note("It goes on at the service. To follow it: tern import list");
  });
}
