import { z } from "@hono/zod-openapi";
import { Id } from "../../platform/http/id.ts";
import { hasChange, Timestamp } from "../../platform/http/validation.ts";
import { DAY_MS, JOB_TTL_MS, MAX_HOST_CHARS } from "../../limits.ts";
import { IMPORT_FIELDS, type ImportField } from "./formats/fields.ts";
import { SOURCES } from "./formats/sources.ts";
import { DEFAULT_CHOICES, PROBLEMS, type ProblemKind } from "./input.ts";
import { IMPORT_SAMPLE_ROWS, MAX_IMPORT_COLUMNS, MAX_IMPORT_HOSTS } from "./limits.ts";
import { FaultBody } from "../../platform/http/error-body.ts";
import { because } from "../../platform/http/faults.ts";

const JOB_TTL_DAYS = JOB_TTL_MS / DAY_MS;

const count = (description: string) => z.number().int().nonnegative().openapi({ description });
const oneOf = <T extends string>(values: Record<T, string>) =>
  Object.entries<string>(values).map(([name, text]) => `\`${name}\`: ${text}`);

const Field = z.enum(Object.keys(IMPORT_FIELDS) as [ImportField, ...ImportField[]]).openapi("ImportField", {
  description: `What a column is. ${oneOf(IMPORT_FIELDS).join(" ")}`,
  example: "url",
});

const Mapping = z
  .record(z.string(), z.union([Field, z.null()]))
  .openapi({ example: { "Long link": "url", Notes: null } });

const Choice = z.string().min(1).max(MAX_HOST_CHARS);
const Domains = z
  .union([
    z.enum(["default", "skip"]),
    z
      .record(z.string().max(MAX_HOST_CHARS), Choice)
      .refine(
        (choices) => Object.keys(choices).length <= MAX_IMPORT_HOSTS,
        because("too_many", { max: MAX_IMPORT_HOSTS }),
      ),
  ])
  .openapi({
    description:
      "Where links of hosts go that are no domain of the account: to the `default` domain of the account, or nowhere (`skip`). Or by host: `default`, `skip`, or a domain of the account; hosts that are not named go to their own domain, or to the default one.",
    example: { "bit.ly": "go.example" },
  });

const choices = {
  dead: z.enum(["skip", "disable"]).openapi({
    description: "Links that the old service has deleted or banned: left out, or imported as disabled.",
    example: DEFAULT_CHOICES.dead,
  }),
  taken: z.enum(["skip", "rename"]).openapi({
    description: "Links whose slug is taken or reserved: left out, or imported with another slug such as `sale-2`.",
    example: DEFAULT_CHOICES.taken,
  }),
  events: z.boolean().openapi({
    description: "Whether `link.create` is emitted for each link, and `link.delete` if the import is undone.",
    example: DEFAULT_CHOICES.events,
  }),
};

const Problem = z
  .object({
    kind: z.enum(Object.keys(PROBLEMS) as [ProblemKind, ...ProblemKind[]]).openapi({
      description: oneOf(PROBLEMS).join(" "),
    }),
    count: count("How often it occurs."),
    line: count("The first row that has it: its line, or the number of the object in a JSON file."),
    example: z.string().openapi({ description: "What it is there, such as the slug." }),
  })
  .openapi("ImportProblem", {
    description: "What will not be imported as it is.",
    example: { kind: "taken", count: 3, line: 17, example: "sale" },
  });

const Host = z
  .object({
    host: z.string().openapi({ description: "The host." }),
    links: count("Links of the file at this host."),
    domain: z.string().nullable().openapi({ description: "The domain that they get; null: they are left out." }),
  })
  .openapi("ImportHost", {
    description: "A host of the short URLs in the file.",
    example: { host: "bit.ly", links: 1_200, domain: "go.example" },
  });

export const Import = z
  .object({
    id: Id,
    source: z.enum(["auto", ...SOURCES]).openapi({
      description: "The service that the file comes from; `csv`: any other file; `auto`: it is not recognised yet.",
    }),
    status: z
      .enum(["reading", "ready", "running", "paused", "done", "failed", "cancelled", "undoing", "undone"])
      .openapi({ description: "Nothing is imported before a `ready` import is started." }),
    rows: count("Links in the file. 0 until it is read, as long as the fields that follow are empty."),
    columns: z.array(z.string()).openapi({ description: "The names of the columns, or of the fields of a JSON file." }),
    mapping: Mapping.openapi({ description: "The field of each column; null: the column is not imported." }),
    ...choices,
    domains: Domains,
    hosts: z.array(Host).openapi({
      description: `The hosts of the short URLs, those with the most links first, at most ${MAX_IMPORT_HOSTS}.`,
    }),
    sample: z
      .array(
        z.object({
          line: count("The line in the file."),
          cells: z.array(z.string()).openapi({ description: "Its cells, in the order of `columns`." }),
        }),
      )
      .openapi({ description: `The first ${IMPORT_SAMPLE_ROWS} rows. Long cells are cut off.` }),
    problems: z.array(Problem).openapi({ description: "What will not be imported as it is." }),
    expected: z
      .object({
        created: count("Links that will be created."),
        skipped: count("Links that will be left out, as it is chosen."),
        failed: count("Links that cannot be imported."),
      })
      .openapi({
        description:
          "What will become of the rows, as far as it is known before the start. Together they are `rows`, and so are `created`, `skipped` and `failed` of an import that is done.",
      }),
    progress: z
      .object({ done: count("Links done so far."), total: count("Links to do, as far as it is known.") })
      .openapi({ description: "How far the reading, the import or its undoing is." }),
    created: count("Links that were created."),
    skipped: count("Links that were left out, as it was chosen."),
    failed: count(
      "Links that could not be imported. `GET /api/imports/{id}/failures` lists them and the skipped ones.",
    ),
    altered: count("Links that were created, but not as they were. Listed too, with what they lost."),
    undone: count("Links that were deleted again."),
    notUndone: count(
      "Links that were changed after the import, so that its undoing left them as they are. Listed too.",
    ),
    error: z.string().nullable().openapi({ description: "Why the import failed; null otherwise." }),
    fault: FaultBody.nullable().openapi({
      description: "The same for programs; null otherwise.",
    }),
    createdAt: Timestamp.openapi({ description: "When the file was uploaded." }),
    startedAt: Timestamp.nullable().openapi({ description: "When the import was started; null before." }),
    finishedAt: Timestamp.nullable().openapi({ description: "When the import, or its undoing, ended; null before." }),
    expiresAt: Timestamp.nullable().openapi({
      description: `When the file is deleted and the import can no longer be undone: ${JOB_TTL_DAYS} days after it ended or began to wait; null while it runs.`,
    }),
  })
  .openapi("Import", {
    description: "Links of a file, and how far they are imported.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      source: "bitly",
      status: "ready",
      rows: 1_200,
      columns: ["Link", "Destination URL"],
      mapping: { Link: "shortUrl", "Destination URL": "url" },
      dead: "skip",
      taken: "skip",
      events: false,
      domains: "default",
      hosts: [{ host: "bit.ly", links: 1_200, domain: "go.example" }],
      sample: [{ line: 2, cells: ["https://bit.ly/3xYz", "https://example.com/spring"] }],
      problems: [{ kind: "taken", count: 3, line: 17, example: "sale" }],
      expected: { created: 1_197, skipped: 3, failed: 0 },
      progress: { done: 1_200, total: 1_200 },
      created: 0,
      skipped: 0,
      failed: 0,
      altered: 0,
      undone: 0,
      notUndone: 0,
      error: null,
      fault: null,
      createdAt: 1_790_000_000_000,
      startedAt: null,
      finishedAt: null,
      expiresAt: 1_790_604_800_000,
    },
  });
export type Import = z.infer<typeof Import>;

export const UpdateImport = z
  .strictObject({
    mapping: Mapping.refine(
      (mapping) => Object.keys(mapping).length <= MAX_IMPORT_COLUMNS,
      because("too_many", { max: MAX_IMPORT_COLUMNS }),
    )
      .optional()
      .openapi({ description: "The fields of columns. Columns that are not named keep theirs." }),
    domains: Domains.optional(),
    dead: choices.dead.optional(),
    taken: choices.taken.optional(),
    events: choices.events.optional(),
  })
  .refine(hasChange, because("nothing_given"))
  .openapi("UpdateImport", {
    description: "What is chosen about an import.",
    minProperties: 1,
    example: { mapping: { Notes: "title" }, domains: { "bit.ly": "skip" }, taken: "rename" },
  });
export type UpdateImport = z.infer<typeof UpdateImport>;
