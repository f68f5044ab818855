import { parseTemplate, type Piece } from "./parse-template.ts";
import { isUrlPlaceholder, placeholdersOf, type TemplateEvent } from "./placeholders.ts";

/** What is wrong with a template, and the part of it. */
export interface TemplateFault {
  code: "unclosed" | "unopened" | "unknown" | "target";
  part: string;
}

/** The faults of a template for events of a type; none: it can be used. */
export function checkTemplate(template: string, type: TemplateEvent): TemplateFault[] {
  const { parts, placeholders, unclosed, unopened } = parseTemplate(template);
  const known = placeholdersOf(type);
  const faults: TemplateFault[] = [];
  if (unclosed !== null) faults.push({ code: "unclosed", part: unclosed });
  if (unopened !== null) faults.push({ code: "unopened", part: unopened });
  for (const { name } of placeholders) if (!known.includes(name)) faults.push({ code: "unknown", part: name });
  for (const { target } of parts)
    if (target !== undefined && !isTarget(target)) faults.push({ code: "target", part: target.map(toText).join("") });
  return faults.filter(({ code, part }, index) =>
    faults.every((other, at) => at >= index || other.code !== code || other.part !== part),
  );
}

/** The placeholder of a URL, or a URL whose host is written out: what strangers write must not choose where a link leads. */
function isTarget(target: readonly Piece[]): boolean {
  const [first = ""] = target;
  if (typeof first !== "string") return target.length === 1 && isUrlPlaceholder(first.name);
  if (target.length === 1) return /^https?:\/\//i.test(first) && URL.canParse(first);
  return /^https?:\/\/[^/?#@\s]+[/?#]/i.test(first) && URL.canParse(first);
}

const toText = (piece: Piece): string => (typeof piece === "string" ? piece : `{{${piece.name}}}`);
