import { z } from "@hono/zod-openapi";
import { ROLES } from "../../platform/auth/roles.ts";
import { LANGUAGES, type AppLanguage } from "../../platform/languages.ts";
import { Id } from "../../platform/http/id.ts";
import { errorRef } from "../../platform/http/openapi-components.ts";
import { lineOfProse, Timestamp } from "../../platform/http/validation.ts";
import { MAX_TOKEN_CHARS } from "../../limits.ts";
import { MAX_USER_NAME_CHARS, MAX_USER_PASSWORD_UNITS } from "./limits.ts";

const EXAMPLE_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
export const EXAMPLE_TOKEN = "q7Hn0Cj1yq3fR2mXv8bT5kZs9wL4dP6gA0eUiYoNcWx";
const EXAMPLE_PASSWORD = "seventeen quiet lanterns";

/** A password in a request. Its strength is checked by src/identity/people/password-strength. */
export const PasswordInput = z.string().min(1).max(MAX_USER_PASSWORD_UNITS).openapi({
  format: "password",
  description: "A password of 12 to 128 characters.",
  example: EXAMPLE_PASSWORD,
});

export const TokenInput = z.string().min(1).max(MAX_TOKEN_CHARS).openapi({
  description: "The token behind `#token=` in the link of the mail. It works once.",
  example: EXAMPLE_TOKEN,
});

/** A name in a request. */
export const UserName = lineOfProse(MAX_USER_NAME_CHARS).openapi({
  description: "The person's name.",
  example: "Ann Lee",
});

export const Language = z
  .enum(Object.keys(LANGUAGES) as [AppLanguage, ...AppLanguage[]])
  .openapi({ description: "The language of the dashboard and of mails. null: that of the browser." });

export const UserBody = z
  .object({
    id: Id,
    email: z.string().openapi({ description: "The verified address." }),
    name: z.string().openapi({ description: "The person's name." }),
    language: Language.nullable(),
    createdAt: Timestamp.openapi({ description: "When the person signed up, in Unix milliseconds." }),
  })
  .openapi("User", {
    description: "A person.",
    example: {
      id: EXAMPLE_ID,
      email: "ann@example.com",
      name: "Ann Lee",
      language: null,
      createdAt: 1_790_000_000_000,
    },
  });

const SESSION_EXAMPLE = {
  id: EXAMPLE_ID,
  current: true,
  device: "desktop",
  browser: "Firefox",
  browserVersion: "143",
  os: "Linux",
  osVersion: null,
  country: "DE",
  createdAt: 1_790_000_000_000,
  lastSeenAt: 1_790_000_000_000,
  confirmedAt: 1_790_000_000_000,
  expiresAt: 1_795_184_000_000,
};

export const SessionBody = z
  .object({
    id: Id,
    current: z.boolean().openapi({ description: "Whether it is the session of this request." }),
    device: z.string().openapi({ description: "The kind of device, such as `desktop`." }),
    browser: z.string().openapi({ description: "The browser without its version." }),
    browserVersion: z.string().nullable().openapi({ description: "The main version of the browser; null: unknown." }),
    os: z.string().openapi({ description: "The operating system without its version." }),
    osVersion: z.string().nullable().openapi({
      description: "The version of the operating system, such as `17.2`; null: the browser does not tell.",
    }),
    country: z.string().nullable().openapi({ description: "The country of the last request; null: unknown." }),
    createdAt: Timestamp.openapi({ description: "The time of the sign-in, in Unix milliseconds." }),
    lastSeenAt: Timestamp.openapi({ description: "The time of the last request, exact to the minute." }),
    confirmedAt: Timestamp.openapi({ description: "When the person last proved who they are." }),
    expiresAt: Timestamp.openapi({ description: "When the session ends at the latest." }),
  })
  .openapi("Session", { description: "A browser that is signed in.", example: SESSION_EXAMPLE });
export type SessionBody = z.infer<typeof SessionBody>;

export const SignedIn = z
  .object({ session: SessionBody, user: UserBody })
  .openapi("SignedIn", { description: "The new session. Its cookie is in the response too." });

export const AccountBody = z
  .object({
    id: Id.openapi({ description: "The id for the header `X-Account-Id`." }),
    name: z.string().openapi({ description: "The name of the account." }),
    kind: z.enum(["personal", "team"]).openapi({ description: "Whose account it is." }),
    role: z.enum(ROLES).openapi({ description: "What the person may do there." }),
    deletesAt: Timestamp.nullable().openapi({
      description: "When the deleted account is deleted for good. null: not deleted.",
    }),
  })
  .openapi("AccountOfUser", {
    description: "An account that the person can act for.",
    example: { id: EXAMPLE_ID, name: "Ann Lee", kind: "personal", role: "owner", deletesAt: null },
  });

/** The responses to requests of other sites, with a wrong password or with an API key only. */
export const refused = { 401: errorRef(401), 403: errorRef(403) };

/** The responses of routes that exist on localhost only. */
export const localOnly = { ...refused, 404: errorRef(404) };
