import type { StartExport } from "#dashboard/api/types.ts";
import { browserTimeZone } from "#dashboard/lib/format.ts";
import { startOfDay } from "#dashboard/lib/time-zone.ts";
import { texts } from "#dashboard/texts/index.ts";
import { MIN_SEARCH_CHARS } from "#src/links/limits.ts";
import { MAX_QR_SIZE_PX } from "#src/qr/limits.ts";
import { MIN_EXPORTED_QR_SIZE_PX } from "#src/moving/exports/limits.ts";

type Interval = "7d" | "30d" | "90d" | "1y" | "all";

/** What is chosen in the form. Days are as an input of the type `date` has them. */
export interface Draft {
  kind: "links" | "clicks" | "qr";
  linksFormat: "csv" | "json";
  imageFormat: "svg" | "png";
  size: string;
  /** Whether the codes have the styles of their domains. */
  domainStyle: boolean;
  which: "all" | "some";
  search: string;
  tags: readonly string[];
  domain: string;
  status: "" | "active" | "scheduled" | "expired" | "disabled";
  archived: "exclude" | "include" | "only";
  createdAfter: string;
  createdBefore: string;
  range: Interval | "custom";
  from: string;
  until: string;
  withBots: boolean;
}

const DEFAULT_SIZE_PX = 512;

export const EMPTY_DRAFT: Draft = {
  kind: "links",
  linksFormat: "csv",
  imageFormat: "svg",
  size: String(DEFAULT_SIZE_PX),
  domainStyle: true,
  which: "all",
  search: "",
  tags: [],
  domain: "",
  status: "",
  archived: "exclude",
  createdAfter: "",
  createdBefore: "",
  range: "30d",
  from: "",
  until: "",
  withBots: false,
};

export type DraftFaults = Partial<Record<keyof Draft, string>>;

/** What every part of the form gets. */
export interface FieldsProps {
  draft: Draft;
  faults: DraftFaults;
  change: (changes: Partial<Draft>) => void;
}

/** What is wrong with the draft, by the fields of the form. */
export function findFaults(draft: Draft): DraftFaults {
  const own = texts.exporting.form;
  const faults: DraftFaults = {};
  if (draft.kind === "clicks") {
    if (draft.range !== "custom") return {};
    if (draft.from === "") faults.from = own.needsRange;
    else if (draft.until !== "" && draft.until < draft.from) faults.until = own.orderWrong;
    return faults;
  }
  const size = Number(draft.size);
  if (draft.kind === "qr" && !(Number.isInteger(size) && size >= MIN_EXPORTED_QR_SIZE_PX && size <= MAX_QR_SIZE_PX))
    faults.size = own.sizeHint(MIN_EXPORTED_QR_SIZE_PX, MAX_QR_SIZE_PX);
  if (draft.which === "all") return faults;
  const search = draft.search.trim();
  if (search !== "" && Array.from(search).length < MIN_SEARCH_CHARS) faults.search = own.searchHint(MIN_SEARCH_CHARS);
  if (draft.createdAfter !== "" && draft.createdBefore !== "" && draft.createdBefore < draft.createdAfter)
    faults.createdBefore = own.orderWrong;
  return faults;
}

/** The request for a draft without faults. */
export function toRequest(draft: Draft): StartExport {
  switch (draft.kind) {
    case "links":
      return { kind: "links", format: draft.linksFormat, ...filterOf(draft) };
    case "clicks":
      return { kind: "clicks", format: "csv", ...rangeOf(draft), bots: draft.withBots ? "include" : "exclude" };
    case "qr":
    default:
      return {
        kind: "qr",
        format: draft.imageFormat,
        size: Number(draft.size),
        domainStyle: draft.domainStyle,
        ...filterOf(draft),
      };
  }
}

function filterOf(draft: Draft) {
  if (draft.which === "all") return {};
  const search = draft.search.trim();
  return {
    ...(search !== "" && { search }),
    ...(draft.tags.length > 0 && { tag: [...draft.tags] }),
    ...(draft.domain !== "" && { domain: [draft.domain] }),
    ...(draft.status !== "" && { status: [draft.status] }),
    ...(draft.archived !== "exclude" && { archived: draft.archived }),
    ...(draft.createdAfter !== "" && { createdAfter: startOfDay(draft.createdAfter) }),
    ...(draft.createdBefore !== "" && { createdBefore: startOfDay(draft.createdBefore, 1) }),
  };
}

function rangeOf({ range, from, until }: Draft) {
  if (range !== "custom") return { interval: range, timezone: browserTimeZone() };
  return { start: startOfDay(from), ...(until !== "" && { end: startOfDay(until, 1) }), timezone: browserTimeZone() };
}
