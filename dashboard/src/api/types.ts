// The types of the API's responses, from the contracts that the service validates with.

export type { Account } from "../../../src/account/contract.ts";
export type { Link, CreateLink, UpdateLink } from "../../../src/links/contract.ts";
export type { BulkJob } from "../../../src/bulk/contract.ts";
export type { Import, UpdateImport } from "../../../src/imports/schemas.ts";
export type { Export, StartExport } from "../../../src/exports/file-contract.ts";
export type { Domain } from "../../../src/domains/contract.ts";
export type { Tag } from "../../../src/tags/contract.ts";
export type { Clicks } from "../../../src/clicks/analytics/contract.ts";

import type { z } from "@hono/zod-openapi";
import type { AccountBody, SessionBody as Session, UserBody } from "../../../src/people/schemas.ts";

export type AccountOfUser = z.infer<typeof AccountBody>;
export type User = z.infer<typeof UserBody>;
export type { Session };

/** `GET /api/auth/session` */
export interface SessionResponse {
  session: Session;
  user: User;
  accounts: AccountOfUser[];
}
