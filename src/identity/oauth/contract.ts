import { createRoute, z } from "@hono/zod-openapi";
import { SCOPES, SCOPES_OF_RESOURCE, type AppResource } from "../../platform/auth/scopes.ts";
import { conflicting, json, jsonBody, operation, sessionOnly, Success } from "../../platform/http/contract.ts";
import { ErrorBody } from "../../platform/http/error-body.ts";
import { Id, idParams } from "../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { Timestamp } from "../../platform/http/validation.ts";
import { MAX_AUTHORIZATION_QUERY_CHARS } from "./limits.ts";

const TAG = "Connected apps";

const EXAMPLE_QUERY =
  "response_type=code&client_id=https%3A%2F%2Fassistant.example%2Fclient.json&redirect_uri=https%3A%2F%2Fassistant.example%2Fcallback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";

const QueryInput = z.string().max(MAX_AUTHORIZATION_QUERY_CHARS).openapi({
  description: "The query of the authorization request, with or without its question mark.",
  example: EXAMPLE_QUERY,
});

const ScopeName = z.enum(SCOPES).openapi({ description: "A permission that apps can have.", example: "links:read" });

const resource = z.enum(Object.keys(SCOPES_OF_RESOURCE) as AppResource[]).openapi({
  description: "What its tokens are for: the API (`/api`), or the MCP server (`/mcp`).",
});

const clientName = z.string().openapi({ description: "The name that the app gives itself." });
const clientHost = z.string().nullable().openapi({
  description: "The host that vouches for the app; null: it registered itself, and its name is not verified.",
});
const isVerified = z.boolean().openapi({ description: "Whether a host vouches for the app." });

/** The error of an authorization request, with what the page can do about it. */
const AuthorizationError = z
  .object({
    ...ErrorBody.shape,
    redirectUri: z.string().nullable().openapi({
      description:
        "Where the browser goes to tell the app; null: nowhere, because the request is not from a known app.",
    }),
  })
  .openapi("AuthorizationError", {
    description: "Why an app cannot be connected.",
    example: {
      error: "The redirect_uri is not one that the app has registered.",
      code: "invalid_authorization",
      redirectUri: null,
    },
  });

const refusedRequest = { 422: json(AuthorizationError, "The app's request is not valid.") };

export const describeApp = createRoute({
  ...operation("post", "/api/auth/apps/describe", TAG, "Describe app"),
  ...sessionOnly,
  description: "Who asks for access to the account, and for what. Nothing is stored.",
  request: jsonBody(
    z
      .strictObject({ query: QueryInput })
      .openapi("DescribeApp", { description: "An authorization request of an app." }),
  ),
  responses: {
    200: json(
      z
        .object({
          client: z
            .object({
              name: clientName,
              host: clientHost,
              isVerified,
              uri: z.string().nullable().openapi({ description: "Its home page, on that host." }),
            })
            .openapi({ description: "The app." }),
          redirect: z
            .object({
              host: z.string().openapi({ description: "The host; empty for some private schemes." }),
              scheme: z.string().openapi({ description: "Such as `https`, or the private scheme of an app." }),
              isLoopback: z.boolean().openapi({ description: "Whether it is a program on the person's own machine." }),
            })
            .openapi({ description: "Where the browser goes after the decision." }),
          resource,
          scopes: z
            .array(
              z.object({
                name: ScopeName,
                isWriting: z.boolean().openapi({ description: "Whether it lets the app change something." }),
              }),
            )
            .openapi({ description: "What the app asks for and the person's role has." }),
          needsConfirmation: z.boolean().openapi({
            description: "Whether the identity must be confirmed before all of the scopes can be given.",
          }),
          isKnown: z.boolean().openapi({ description: "Whether the person has connected this app to this account." }),
        })
        .openapi("AppRequest", {
          description: "What an app asks for.",
          example: {
            client: {
              name: "Assistant",
              host: "assistant.example",
              isVerified: true,
              uri: "https://assistant.example/",
            },
            redirect: { host: "assistant.example", scheme: "https", isLoopback: false },
            resource: "/mcp",
            scopes: [
              { name: "links:read", isWriting: false },
              { name: "links:write", isWriting: true },
            ],
            needsConfirmation: false,
            isKnown: true,
          },
        }),
      "Who asks for what.",
    ),
    ...refusedRequest,
  },
});

export const decideApp = createRoute({
  ...operation("post", "/api/auth/apps/decide", TAG, "Decide app"),
  ...sessionOnly,
  description: "Connects the app to the account with some of the scopes, or refuses it.",
  request: jsonBody(
    z
      .strictObject({
        query: QueryInput,
        allow: z.boolean().openapi({ description: "Whether the app is connected." }),
        scopes: z.array(ScopeName).max(SCOPES.length).openapi({
          description: "The scopes that the app gets, of those it asks for.",
        }),
      })
      .openapi("DecideApp", {
        description: "A person's answer to an app.",
        example: { query: EXAMPLE_QUERY, allow: true, scopes: ["links:read", "clicks:read"] },
      }),
  ),
  responses: {
    200: json(
      z
        .object({
          redirectUri: z.string().openapi({ description: "Where the browser goes: the app, with a code or an error." }),
        })
        .openapi("AppDecision", {
          description: "What follows from the decision.",
          example: {
            redirectUri:
              "https://assistant.example/callback?code=svc_code_q7Hn0Cj1yq3fR2mXv8bT5kZs9wL4dP6gA0eUiYoNcWx&iss=https%3A%2F%2Fgo.example",
          },
        }),
      "The decision is made.",
    ),
    ...conflicting("The person has connected too many apps."),
    ...refusedRequest,
  },
});

export const ConnectedAppBody = z
  .object({
    id: Id,
    client: z.object({ name: clientName, host: clientHost, isVerified }).openapi({ description: "The app." }),
    resource,
    scopes: z.array(ScopeName).openapi({ description: "What the app may do, as far as the person's role permits it." }),
    createdAt: Timestamp.openapi({ description: "When it was connected, in Unix milliseconds." }),
    lastUsedAt: Timestamp.nullable().openapi({ description: "When it was last used, exact to the minute." }),
    person: z
      .object({
        id: Id.openapi({ description: "The id of the person." }),
        name: z.string().openapi({ description: "The person's name." }),
        email: z.string().openapi({ description: "The person's address." }),
      })
      .openapi({ description: "Who connected it." }),
    isOwn: z.boolean().openapi({ description: "Whether the person of the session connected it." }),
  })
  .openapi("ConnectedApp", {
    description: "An app that acts for a person in an account.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      client: { name: "Assistant", host: "assistant.example", isVerified: true },
      resource: "/mcp",
      scopes: ["links:read", "clicks:read"],
      createdAt: 1_790_000_000_000,
      lastUsedAt: 1_790_000_060_000,
      person: { id: "01920b5c-7d6a-7c3e-9b1f-1a2b3c4d5e6f", name: "Ann Lee", email: "ann@example.com" },
      isOwn: true,
    },
  });
export type ConnectedAppBody = z.infer<typeof ConnectedAppBody>;

export const listApps = createRoute({
  ...operation("get", "/api/auth/apps", TAG, "List apps"),
  ...sessionOnly,
  description: "The person's apps in the account, newest first. Admins and owners see those of all members.",
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("apps", ConnectedAppBody, "The apps of the page.", "A page of apps.") },
});

export const disconnectApp = createRoute({
  ...operation("delete", "/api/auth/apps/{id}", TAG, "Disconnect app"),
  ...sessionOnly,
  description: "Ends the access of an app at once. Admins and owners can disconnect those of all members.",
  request: { params: idParams("app") },
  responses: { 200: json(Success, "The app is disconnected.") },
});
