import { z } from "@hono/zod-openapi";
import { suggestName } from "../http/suggest-name.ts";
import { isTypeable } from "../http/validation.ts";
import { MAX_QUOTED_TEMPLATE_CHARS, MAX_TEMPLATE_CHARS } from "./limits.ts";
import { checkTemplate, type TemplateFault } from "./messages/check-template.ts";
import { placeholdersOf, TEMPLATE_EVENTS, type TemplateEvent } from "./messages/placeholders.ts";

const Template = z
  .string()
  .normalize("NFC")
  .overwrite((text) => text.replaceAll(/\r\n?/g, "\n").trim())
  .min(1, "must not be empty; leave it out for the message without a template")
  .max(MAX_TEMPLATE_CHARS, `must have at most ${MAX_TEMPLATE_CHARS} characters`)
  .refine((text) => text.split("\n").every(isTypeable), "must not contain unreadable characters");

const shape = Object.fromEntries(
  TEMPLATE_EVENTS.map((type) => [type, Template.optional().openapi({ description: `About \`${type}\`.` })]),
) as Record<TemplateEvent, z.ZodOptional<typeof Template>>;

export const Templates = z.strictObject(shape).openapi("MessageTemplates", {
  description:
    "Texts of messages by event type, with placeholders such as `{{link.shortUrl}}`. Other events have the message of the service.",
  example: { "link.click": "**{{link.shortUrl}}** was clicked from {{click.country|somewhere}}" },
});

/** The templates of a request. Null, or none: the messages of the service. */
export const TemplatesInput = Templates.superRefine((templates, context) => {
  for (const type of TEMPLATE_EVENTS)
    for (const fault of checkTemplate(templates[type] ?? "", type))
      context.addIssue({ code: "custom", path: [type], message: describeFault(fault, type) });
})
  .transform((templates) => (Object.keys(templates).length === 0 ? null : templates))
  .nullish();

function describeFault({ code, part }: TemplateFault, type: TemplateEvent): string {
  const shown =
    part.length > MAX_QUOTED_TEMPLATE_CHARS ? `${part.slice(0, MAX_QUOTED_TEMPLATE_CHARS).toWellFormed()}…` : part;
  if (code === "unclosed") return `has ${shown} without }}; write \\{ for a brace that is text`;
  if (code === "unopened") return `has ${shown} without {{; write \\} for a brace that is text`;
  if (code === "target")
    return `has a link to ${shown}; it must begin with https:// and a host, or be the placeholder of a URL`;
  const known = placeholdersOf(type);
  const meant = suggestName(part, known);
  const hint = meant === null ? "." : `; did you mean {{${meant}}}?`;
  return `has {{${shown}}}, which ${type} does not have${hint} Known: ${known.join(", ")}`;
}
