import { plainErrors } from "../texts/en/plain-errors.ts";
import type { ErrorBody } from "./client.ts";

const { codes, entry, fields, invalid, named, sentences } = plainErrors;

/** What only programmers know: methods and paths, encodings, headers, settings and types of JSON. */
const TECHNICAL = [
  // Which fields a request has to have.
  /^(?:give|needs ids|is not known here)/,
  /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE) \//,
  /\/api\/|\?[a-z]+=|\b[a-z]+=[a-z]/,
  /%[0-9A-F]{2}/,
  /\b(?:Authorization|Content-Type|Idempotency-Key|Upgrade|BASE_URL|[A-Z]+_[A-Z_]+)\b/,
  /\b(?:headers?|WebSockets?|cursor|nextCursor|Unix milliseconds|an? (?:array|object|string|JSON \w+)|as JSON)\b/,
  /\b(?:send|send it|send the \w+|sends?) (?:as|this request|the header|the request|the body|the password)|\b[Tt]he body\b|\bof the request\b/,
];

/** Remarks for those who write the value into a URL. */
const REMARK = / as a data URI in base64, \S+| \(in a query, [^)]*\)/g;

const FIELD_NAMES = new RegExp(
  `\\b(${Object.keys(fields)
    .filter((name) => /[A-Z]/.test(name))
    .join("|")})\\b`,
  "g",
);

const SENTENCE_START = /(?<=\.) (?=\S)/;

/** Files that people write in JSON themselves. Their fields have no other names. */
const FILES = /^(?:appleAppSiteAssociation|assetLinks)(?:\.|$)/;

/**
 * The error of a response in words for people who use the pages: no methods, paths, headers and field names of the API. The
 * sentences of the service stay where they have none of these.
 */
export function plainError(body: ErrorBody): ErrorBody {
  const details = body.details?.map(({ path, message }) => ({ path, message: plainReason(path, message) }));
  const [first] = details ?? [];
  const error = first === undefined ? plainSentence(body) : `${nameOf(first.path)} ${first.message}.`;
  return { ...body, error, ...(details !== undefined && { details }) };
}

function plainSentence({ error, code }: ErrorBody): string {
  const plain = withFieldNames(error);
  if (!isTechnical(plain)) return translate(plain);
  return code in codes ? codes[code as keyof typeof codes] : codes.internal;
}

function plainReason(path: string, message: string): string {
  if (FILES.test(path)) return message;
  const [reason = "", ...advice] = withFieldNames(message.replaceAll(REMARK, "")).split(SENTENCE_START);
  if (isTechnical(reason)) return invalid;
  // What is wrong stays where only the advice is for programmers.
  return translate([reason, ...advice.filter((sentence) => !isTechnical(sentence))].join(" ").replace(/\.$/, ""));
}

/** The text in the language of the pages if all its sentences are known in it; else as it is. */
function translate(text: string): string {
  const known = text.split(SENTENCE_START).map(translateSentence);
  return known.includes(null) ? text : known.join(" ");
}

function translateSentence(text: string): string | null {
  const sentence = text.replace(/\.$/, "");
  for (const [english, words] of Object.entries(sentences)) {
    const form = english.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&").replaceAll("…", "(.*?)");
    const [whole, ...inserted] = new RegExp(`^${form}$`).exec(sentence) ?? [];
    if (whole === undefined) continue;
    return words.replaceAll("…", () => inserted.shift() ?? "") + text.slice(sentence.length);
  }
  return null;
}

function withFieldNames(text: string): string {
  return text.replaceAll(FIELD_NAMES, (name) => fields[name as keyof typeof fields]);
}

function isTechnical(text: string): boolean {
  return TECHNICAL.some((form) => form.test(text));
}

/** The field at a path such as `rules.0.url`, in words. */
function nameOf(path: string): string {
  const known = path.split(".").findLast((name) => name in fields);
  return known === undefined ? entry : named(fields[known as keyof typeof fields]);
}
