import { sign, verify } from "./webhooks.ts";

export { Tern, type TernOptions } from "./client.ts";
export { TernError } from "./error.ts";
export { List, type Page } from "./list.ts";
export type { Call, DebugEvent, RequestOptions } from "./transport.ts";
export const webhooks: { verify: typeof verify; sign: typeof sign } = { verify, sign };
export type { SignOptions, VerifyOptions, WebhookHeaders } from "./webhooks.ts";
export type * from "./types.ts";
