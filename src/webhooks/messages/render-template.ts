import type { EventType } from "../../outbox/event-types.ts";
import { parseTemplate, type Part, type Piece, type Placeholder } from "./parse-template.ts";
import { isUrlPlaceholder, readPlaceholder } from "./placeholders.ts";
import { clip, isShortUrl, toUrlRun, type Run } from "./runs.ts";

/** Stands for a value that the event does not have, unless the placeholder says what does. */
const MISSING = "–";

/** The text of a message with its styles. Faults of a template stay as they are written. */
export function renderTemplate(template: string, event: { event: EventType }): Run[] {
  return parseTemplate(template).parts.flatMap((part) => toRun(part, event));
}

function toRun({ piece, target, ...style }: Part, event: { event: EventType }): Run[] {
  const run = runOf(piece, event, target === undefined && style.code === undefined);
  if (run.text === "") return [];
  return [{ ...style, ...run, ...(target !== undefined && { url: urlOf(target, event) }) }];
}

function runOf(piece: Piece, event: { event: EventType }, linksUrls: boolean): Run {
  if (typeof piece === "string") return { text: piece };
  const value = readPlaceholder(piece.name, event);
  if (value === null) return { text: piece.fallback ?? MISSING };
  if (!isUrlPlaceholder(piece.name)) return { text: clip(value) };
  const run = toUrlRun(value);
  return linksUrls ? run : { text: run.text };
}

/** Where a link leads; undefined: nowhere, because the event lacks the value or the URL is too long. */
function urlOf(target: readonly Piece[], event: { event: EventType }): string | undefined {
  const [first] = target;
  const text =
    target.length === 1 && typeof first === "object"
      ? readPlaceholder(first.name, event)
      : target.map((piece) => (typeof piece === "string" ? piece : encodeValue(piece, event))).join("");
  const url = URL.parse(text ?? "")?.href;
  return url !== undefined && isShortUrl(url) ? url : undefined;
}

const encodeValue = ({ name, fallback }: Placeholder, event: { event: EventType }): string =>
  encodeURIComponent((readPlaceholder(name, event) ?? fallback ?? "").toWellFormed());
