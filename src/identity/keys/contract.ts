import { createRoute, z } from "@hono/zod-openapi";
import { PERMISSIONS } from "../../platform/auth/permissions.ts";
import { conflicting, json, jsonBody, operation, Success } from "../../platform/http/contract.ts";
import { errorRef } from "../../platform/http/openapi-components.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { queryFlag } from "../../platform/http/query.ts";
import { changesOf, LastTimeInput, lineOfProse, Timestamp } from "../../platform/http/validation.ts";
import { Id, idParams } from "../../platform/http/id.ts";
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from "../../limits.ts";
import { MAX_KEY_NAME_CHARS } from "./limits.ts";

const PermissionName = z.enum(PERMISSIONS);

const EXAMPLE = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  name: "Deploy script",
  prefix: "svc_sk_l",
  lastFour: "0f0f",
  status: "active",
  permissions: ["links:read", "links:write"],
  createdBy: { type: "key", id: "01920b5c-7d6a-7c3e-9b1f-1a2b3c4d5e6f", name: "First key" },
  createdAt: 1_790_000_000_000,
  lastUsedAt: null,
  lastUsedCountry: null,
  expiresAt: null,
  expired: false,
};
const VALUE = `svc_sk_live_${"0f".repeat(32)}`;

const Creator = z
  .object({
    type: z.enum(["key", "user"]).openapi({ description: "What created it. Later versions may add other creators." }),
    id: Id.openapi({
      description: "The id of the creating key, which may be revoked, or of the user, who may have left.",
    }),
    name: z.string().nullable().openapi({ description: "The present name. null: the user is deleted." }),
  })
  .openapi({
    description: "What created the key. null: the operator created it, such as the first key of an account.",
  });

export type Creator = z.infer<typeof Creator>;

export const ApiKey = z
  .object({
    id: Id,
    name: z.string().openapi({ description: "A label for people." }),
    prefix: z.string().openapi({ description: "The first 8 characters of the key, the same for every key." }),
    lastFour: z.string().openapi({ description: "The last 4 characters, by which keys can be told apart." }),
    status: z.enum(["active", "revoked"]).openapi({ description: "`revoked` is final." }),
    permissions: z.array(PermissionName).openapi({ description: "What the key may do." }),
    createdBy: Creator.nullable(),
    createdAt: Timestamp.openapi({ description: "When the key was created, in Unix milliseconds." }),
    lastUsedAt: Timestamp.nullable().openapi({
      description:
        "The time of the last authenticated request, exact to the minute: it is written at most once a minute.",
    }),
    lastUsedCountry: z.string().nullable().openapi({
      description: "The country of that request. null: unknown, or the key was never used.",
    }),
    expiresAt: Timestamp.nullable().openapi({
      description: "From then on the key is refused. null: it never expires.",
    }),
    expired: z.boolean().openapi({ description: "Whether `expiresAt` has passed. `status` tells nothing about it." }),
  })
  .openapi("ApiKey", { description: "An API key, without its value.", example: EXAMPLE });
export type ApiKey = z.infer<typeof ApiKey>;

const ApiKeyWithValue = z
  .object({
    ...ApiKey.shape,
    value: z
      .string()
      .openapi({ description: "The whole key. It is returned only here and cannot be retrieved later." }),
  })
  .openapi("ApiKeyWithValue", { description: "A new API key, with its value.", example: { ...EXAMPLE, value: VALUE } });

const Permissions = z
  .array(PermissionName)
  .min(1)
  .max(PERMISSIONS.length)
  .transform((permissions) => PERMISSIONS.filter((permission) => permissions.includes(permission)));

const CreateKey = z
  .strictObject({
    name: lineOfProse(MAX_KEY_NAME_CHARS).openapi({ description: "A label for people." }),
    permissions: Permissions.optional().openapi({
      description: "The key's permissions, by default those of the caller. It cannot have more than the caller.",
    }),
    expiresAt: LastTimeInput.nullish().openapi({
      description:
        "By default the expiry of the calling key, which is also the latest possible one. For a person: never by default.",
    }),
  })
  .openapi("CreateKey", {
    description: "A new API key.",
    example: { name: "Deploy script", permissions: ["links:read", "links:write"] },
  });

export const createKey = createRoute({
  ...operation("post", "/api/keys", "Keys", "Create key"),
  description: `An account has at most ${MAX_ACTIVE_KEYS_PER_ACCOUNT} active keys. Revoked and expired keys do not count.`,
  request: jsonBody(CreateKey),
  responses: {
    201: json(z.object({ key: ApiKeyWithValue }), "The key with its value."),
    ...conflicting("The account already has the maximum number of active keys."),
  },
});

export const listKeys = createRoute({
  ...operation("get", "/api/keys", "Keys", "List keys"),
  description: "Newest first, including revoked keys.",
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("keys", ApiKey, "The keys of the page.", "A page of keys.") },
});

export const getCurrentKey = createRoute({
  ...operation("get", "/api/keys/current", "Keys", "Get current key"),
  description: "The key of this request, and its account. A session has no key, so it gets 404.",
  responses: {
    200: json(
      z.object({
        key: ApiKey,
        account: z
          .object({ id: Id, name: z.string().openapi({ description: "The name of the account.", example: "Acme" }) })
          .openapi({ description: "The account of the key." }),
      }),
      "The key and its account.",
    ),
    404: errorRef(404),
  },
});

export const updateKey = createRoute({
  ...operation("patch", "/api/keys/{id}", "Keys", "Update key"),
  description:
    "Changes the name and the permissions. Added permissions must be the caller's, and a key cannot add any to a key that expires later than itself.",
  request: {
    params: idParams("key"),
    ...jsonBody(
      changesOf(
        "UpdateKey",
        {
          name: lineOfProse(MAX_KEY_NAME_CHARS).optional().openapi({ description: "A label for people." }),
          permissions: Permissions.optional().openapi({ description: "All permissions of the key from now on." }),
        },
        { name: "Nightly job" },
      ),
    ),
  },
  responses: {
    200: json(z.object({ key: ApiKey }), "The changed key."),
    ...conflicting("The key is revoked, or another request has just changed it. Nothing was changed."),
  },
});

export const revokeKey = createRoute({
  ...operation("delete", "/api/keys/{id}", "Keys", "Revoke key"),
  description: "Takes effect at once and cannot be undone. Revoking a revoked key succeeds.",
  request: {
    params: idParams("key"),
    query: z.strictObject({
      descendants: queryFlag.optional().openapi({
        default: false,
        description:
          "`true` also revokes the descendants of the key: the keys that it created, those that these created, and so on. The calling key must not be among them.",
      }),
    }),
  },
  responses: {
    200: json(Success, "The key is revoked."),
    ...conflicting("The calling key is the key or one of its descendants. Nothing was revoked."),
  },
});
