import type {
  ApiKey,
  ClickCounts,
  ClickRecord,
  ClickTimeseries,
  Delivery,
  DomainLostEvent,
  DomainVerifiedEvent,
  ErrorBody,
  Fault,
  GetClicks,
  GetLinkQrCode,
  Import,
  ImportProblem,
  Link,
  LinkClickEvent,
  LinkCreateEvent,
  LinkDeleteEvent,
  LinkExpiredEvent,
  LinkUpdateEvent,
  PreviousClicks,
  RuleInput,
  SharedClicks,
  UpdateImport,
  UpdateLinks,
  Usage,
  WatchClicks,
  WebhookTestEvent,
} from "./generated/types.ts";

export type * from "./generated/types.ts";

// Names for parts of the types that are made of the OpenAPI document.

/** The body of a delivery by its event. `timestamp` is in Unix milliseconds. */
export type WebhookEvent =
  | LinkClickEvent
  | LinkCreateEvent
  | LinkUpdateEvent
  | LinkDeleteEvent
  | LinkExpiredEvent
  | DomainVerifiedEvent
  | DomainLostEvent
  | WebhookTestEvent;

export type EventName = WebhookEvent["event"];
/** Listeners get no test pings. */
export type ListenerEventName = Exclude<EventName, "webhook.test">;
export type DeliveryStatus = Delivery["status"];
export type ErrorCode = ErrorBody["code"];
export type FaultCode = Fault["code"];
export type Permission = ApiKey["permissions"][number];
export type Quota = Usage["links"];

export type LinkStatus = Link["status"];
export type RedirectStatus = Link["redirectStatus"];
export type System = NonNullable<RuleInput["os"]>[number];
/** When a rule matches. All conditions must hold, of a list one value. */
export type RuleConditions = Omit<RuleInput, "id" | "url">;
export type LinkChanges = UpdateLinks["changes"];

export type Device = ClickRecord["device"];
export type Trigger = ClickRecord["trigger"];
export type ClickCount = ClickCounts[number];
export type ClickBucket = ClickTimeseries[number];
/** The totals of a period. */
export type ClickTotals = PreviousClicks;
/** The totals and the most frequent values of each dimension. */
export type ClickSums = SharedClicks;
export type ClickDimension = Exclude<keyof SharedClicks["others"], "links">;
/** Links of the account. */
export type ClickSelection = Pick<GetClicks, "tag" | "domain" | "linkIds">;
export type ClickPeriod = Pick<GetClicks, "interval" | "start" | "end" | "timezone">;
/** Values that clicks must have, or with `!` in front must not have. */
export type ClickFilters = Omit<WatchClicks, keyof ClickSelection>;

/** How far work in the background is. */
export type Progress = Import["progress"];
export type ImportSource = Import["source"];
export type ImportChoices = Required<UpdateImport>;
export type ImportProblemKind = ImportProblem["kind"];
export type QrSettings = Omit<GetLinkQrCode, "format" | "download">;

/** What a WebSocket of `clicks.watch()` sends as JSON: first when it ends, in Unix milliseconds; then new clicks. */
export type LiveMessage = { expiresAt: number } | { clicks: ClickRecord[]; total: number };

/** The part of a WebSocket that the client needs. The types of some runtimes have none. */
export interface LiveSocket {
  readonly readyState: number;
  addEventListener(type: "message", listener: (event: { readonly data: string }) => void): void;
  addEventListener(type: "close", listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  /** Only `ping`. */
  send(text: string): void;
  close(): void;
}
