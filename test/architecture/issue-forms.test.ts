import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { expect, it } from "vitest";
import { z } from "zod";

// GitHub shows a blank issue in place of a form that it does not understand.

const FOLDER = join(import.meta.dirname, "../../.github/ISSUE_TEMPLATE");
const FORMS = globSync("*.yml", { cwd: FOLDER }).filter((file) => file !== "config.yml");
const read = (file: string): unknown => parse(readFileSync(join(FOLDER, file), "utf8"));

const Text = z.string().min(1);
const question = { label: Text, description: Text.optional() };
const answered = <T extends z.ZodRawShape>(type: string, attributes: T) =>
  z.strictObject({
    type: z.literal(type),
    id: z.string().regex(/^[\w-]+$/),
    attributes: z.strictObject({ ...question, ...attributes }),
    validations: z.strictObject({ required: z.boolean() }).optional(),
  });

const Form = z.strictObject({
  name: Text,
  description: Text,
  labels: z.array(Text),
  body: z
    .array(
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("markdown"), attributes: z.strictObject({ value: Text }) }),
        answered("input", { placeholder: Text.optional() }),
        answered("textarea", { placeholder: Text.optional(), render: Text.optional() }),
        answered("dropdown", { options: z.array(Text).min(1), multiple: z.boolean().optional() }),
        answered("checkboxes", { options: z.array(z.strictObject({ label: Text, required: z.boolean().optional() })) }),
      ]),
    )
    .refine((fields) => fields.some(({ type }) => type !== "markdown"), "has no question"),
});

const Config = z.strictObject({
  blank_issues_enabled: z.boolean(),
  contact_links: z.array(z.strictObject({ name: Text, url: z.url(), about: Text })),
});

it.each(FORMS)("%s is a form as GitHub understands it", (file) => {
  const { body } = Form.parse(read(file));
  for (const of of ["id", "label"] as const) {
    const values = body.flatMap((field) => ("id" in field ? [of === "id" ? field.id : field.attributes.label] : []));
    expect(values).toEqual([...new Set(values)]);
  }
});

it("every issue has a form, and vulnerabilities have another way", () => {
  expect(FORMS.toSorted()).toEqual(["bug.yml", "idea.yml"]);
  const { blank_issues_enabled: isBlankAllowed, contact_links: links } = Config.parse(read("config.yml"));
  expect(isBlankAllowed).toBe(false);
  expect(links.map(({ url }) => url)).toContainEqual(expect.stringMatching(/\/security\/policy$/));
});
