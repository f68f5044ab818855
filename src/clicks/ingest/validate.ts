import { ORIGIN_VALUES } from "../../click-log/capture/click.ts";
import { readTarget, type ClickBatch, type ClickBatchMessage } from "../../click-log/capture/message.ts";

/** Whether ClickLogs can store the message. A ClickLog stores all batches of a call or none, so it must get no invalid one. */
export function isClickMessage(body: unknown): body is ClickBatchMessage {
  const { kind, batches } = (body ?? {}) as Partial<ClickBatchMessage>;
  return kind === "clicks" && isListOf(isBatch, batches);
}

function isBatch(value: unknown): value is ClickBatch {
  const { id, log, accountId, targets, origins, clicks } = (value ?? {}) as Partial<ClickBatch>;
  if (typeof id !== "string" || typeof log !== "string" || (accountId !== null && typeof accountId !== "number"))
    return false;
  if (!isListOf(isTarget, targets) || !isListOf(isOrigin, origins)) return false;
  const { at, target, origin, ip, userAgent } = (clicks ?? {}) as Partial<ClickBatch["clicks"]>;
  const columns = [at, target, origin, ip, userAgent];
  if (!columns.every((column) => Array.isArray(column) && column.length === at?.length)) return false;
  return (
    isListOf(Number.isSafeInteger, at) &&
    isListOf((index) => isIndexIn(targets, index), target) &&
    isListOf((index) => isIndexIn(origins, index), origin) &&
    isListOf(isAddress, ip) &&
    isListOf(isText, userAgent)
  );
}

function isListOf<T>(isItem: (value: unknown) => boolean, value: T[] | undefined): value is T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isTarget(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const { linkId, url } = readTarget(value);
  return linkId !== "" && url !== "";
}

function isOrigin(value: unknown): boolean {
  return typeof value === "string" && value.split("\n").length === ORIGIN_VALUES;
}

function isIndexIn(list: readonly unknown[], index: unknown): boolean {
  return Number.isInteger(index) && list[index as number] !== undefined;
}

function isAddress(value: unknown): boolean {
  return value === null || isText(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
