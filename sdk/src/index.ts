import { sign, verify } from "./webhooks.ts";

export { Tern, type TernOptions } from "./client.ts";
export { TernError, type ErrorDetail } from "./error.ts";
export { List, type Page, type PageQuery } from "./list.ts";
export type { Call, DebugEvent, RequestOptions } from "./transport.ts";
export const webhooks: { verify: typeof verify; sign: typeof sign } = { verify, sign };
export type { SignOptions, VerifyOptions, WebhookHeaders } from "./webhooks.ts";
export type * from "./types/account.ts";
export type * from "./types/clicks.ts";
export type * from "./types/common.ts";
export type * from "./types/domains.ts";
export type * from "./types/jobs.ts";
export type * from "./types/links.ts";
export type * from "./types/webhooks.ts";
