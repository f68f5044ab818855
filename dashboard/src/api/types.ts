// The types of the API's responses, from the contracts that the service validates with.

export type { Account } from "#src/identity/account/contract.ts";
export type { Link, CreateLink, UpdateLink } from "#src/links/contract.ts";
export type { BulkChanges, BulkJob } from "#src/links/bulk-jobs/contract.ts";
export type { Domain } from "#src/domains/contract.ts";
export type { Export, StartExport } from "#src/moving/exports/files/contract.ts";
export type { Import, UpdateImport } from "#src/moving/imports/schemas.ts";
export type { Links, ListedLink } from "#src/links/list-contract.ts";
export type { SlugCheck } from "#src/links/slugs/contract.ts";
export type { SavedView } from "#src/links/views/contract.ts";
export type { Tag } from "#src/links/tags/contract.ts";
export type { Usage } from "#src/access/usage/contract.ts";
export type { UtmTemplate } from "#src/links/utm-templates/contract.ts";
export type { Clicks } from "#src/clicks/analytics/contract.ts";

import type { z } from "@hono/zod-openapi";
import type { PasskeyBody as Passkey, SecondStepBody } from "#src/identity/people/factors/schemas.ts";
import type { claimLinks } from "#src/links/claims/contract.ts";
import type { listSessions } from "#src/identity/people/contract.ts";
import type { enrolTotp, getFactors } from "#src/identity/people/factors/contract.ts";
import type { listMails } from "#src/identity/people/mail-contract.ts";
import type { decideApp, describeApp } from "#src/identity/oauth/contract.ts";
import type { acceptInvitation } from "#src/identity/teams/contract.ts";
import type { Notice } from "#src/identity/people/notices/contract.ts";
import type { AccountBody, SessionBody as Session, UserBody } from "#src/identity/people/schemas.ts";

export type AccountOfUser = z.infer<typeof AccountBody>;
export type User = z.infer<typeof UserBody>;
export type SecondStep = z.infer<typeof SecondStepBody>;
export type { Passkey, Session };
export type { PersonAccess } from "#src/identity/people/access/contract.ts";
export type { ReceivedInvitation } from "#src/identity/people/invitations/contract.ts";
export type { AccountExport } from "#src/moving/exports/account/contract.ts";
export type { ServiceInfo } from "#src/identity/account/service-info/contract.ts";

/** The body of a route's success. */
type BodyOf<Contract> = Contract extends {
  responses: { 200: { content: { "application/json": { schema: infer Schema extends z.ZodType } } } };
}
  ? z.infer<Schema>
  : never;

/** The JSON body of a route's request. */
type InputOf<Contract> = Contract extends {
  request: { body: { content: { "application/json": { schema: infer Schema extends z.ZodType } } } };
}
  ? z.infer<Schema>
  : never;

export type SecondFactors = BodyOf<typeof getFactors>;
export type NewAuthenticatorApp = BodyOf<typeof enrolTotp>;
export type SessionPage = BodyOf<typeof listSessions>;
export type MailPage = BodyOf<typeof listMails>;
export type Team = BodyOf<typeof acceptInvitation>["team"];
export type AppRequest = BodyOf<typeof describeApp>;
export type AppAnswer = InputOf<typeof decideApp>;
export type ClaimedLinks = BodyOf<typeof claimLinks>["links"];

/** `GET /api/auth/session` */
export interface SessionResponse {
  session: Session;
  user: User;
  accounts: AccountOfUser[];
  /** Whether the person is an operator of the service. */
  isOperator: boolean;
  /** What no mail tells the person, newest first. */
  notices: Notice[];
}
