import { createRoute, z } from "@hono/zod-openapi";
import { PERMISSIONS } from "../auth/permissions.ts";
import { conflicting, json, jsonBody, Success } from "../http/contract.ts";
import { NextCursor, pageQuery } from "../http/pagination.ts";
import { lineOfText, Timestamp, TimestampInput } from "../http/validation.ts";
import { MAX_ACTIVE_KEYS_PER_ACCOUNT, MAX_KEY_NAME_CHARS } from "../limits.ts";

const PermissionName = z.enum(PERMISSIONS);

const EXAMPLE = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  name: "Deploy script",
  prefix: "svc_sk_l",
  lastFour: "0f0f",
  status: "active",
  permissions: ["links:read", "links:write"],
  createdAt: 1_790_000_000_000,
  lastUsedAt: null,
  expiresAt: null,
};
const VALUE = `svc_sk_live_${"0f".repeat(32)}`;

const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string().openapi({ description: "The first 8 characters of the key, the same for every key." }),
    lastFour: z.string().openapi({ description: "The last 4 characters, which tell keys apart." }),
    status: z.enum(["active", "revoked"]),
    permissions: z.array(PermissionName),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable().openapi({ description: "The last authenticated request, exact to the second." }),
    expiresAt: Timestamp.nullable(),
  })
  .openapi("ApiKey", { example: EXAMPLE });
export type ApiKey = z.infer<typeof ApiKey>;

const NewApiKey = ApiKey.extend({
  value: z.string().openapi({ description: "The whole key. It is shown this once and cannot be had again." }),
}).openapi("NewApiKey", { example: { ...EXAMPLE, value: VALUE } });

const CreateKey = z
  .strictObject({
    name: lineOfText(MAX_KEY_NAME_CHARS),
    permissions: z
      .array(PermissionName)
      .min(1, "must name at least one permission")
      .transform((permissions) => PERMISSIONS.filter((permission) => permissions.includes(permission)))
      .optional()
      .openapi({ description: "What the key may do; by default all that the calling key may. Never more than that." }),
    expiresAt: TimestampInput.nullish().openapi({
      description: "By default that of the calling key; never later than that.",
    }),
  })
  .openapi("CreateKey", { example: { name: "Deploy script", permissions: ["links:read", "links:write"] } });

export const createKey = createRoute({
  method: "post",
  path: "/api/keys",
  tags: ["Keys"],
  summary: "Create key",
  description: `At most ${MAX_ACTIVE_KEYS_PER_ACCOUNT} keys of an account are active; revoked and expired ones do not count.`,
  request: jsonBody(CreateKey),
  responses: {
    201: json(z.object({ key: NewApiKey }), "The key, with its value."),
    ...conflicting("The account has as many active keys as there can be."),
  },
});

export const listKeys = createRoute({
  method: "get",
  path: "/api/keys",
  tags: ["Keys"],
  summary: "List keys",
  description: "Newest first, revoked ones too.",
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: json(z.object({ keys: z.array(ApiKey), nextCursor: NextCursor }), "A page of keys.") },
});

export const revokeKey = createRoute({
  method: "delete",
  path: "/api/keys/{id}",
  tags: ["Keys"],
  summary: "Revoke key",
  description: "At once and for ever. Revoking a key again is no error.",
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: json(Success, "The key is revoked.") },
});
