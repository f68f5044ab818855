import { z } from "@hono/zod-openapi";
import type { Principal } from "../../platform/auth/principal.ts";
import type { ApiKey } from "../../identity/keys/contract.ts";
import type { Usage } from "../../access/usage/contract.ts";
import type { Api } from "../api.ts";
import { toIso } from "../link.ts";
import { defineTool, READ_HINTS } from "../tool.ts";

export const getAccount = defineTool({
  name: "get_account",
  title: "Get account",
  description: "What this connection may do, and what is left of the quotas. Use it after a refusal. Example: {}",
  permissions: [],
  hints: READ_HINTS,
  input: z.strictObject({}),
  output: {
    account: { type: "string" },
    permissions: { type: "array" },
    quotas: { type: "object" },
  },
  async answer(_, { api, principal }) {
    const [{ account, permissions, expiresAt }, { usage }] = await Promise.all([
      describeConnection(api, principal),
      api.json<{ usage: Usage }>("GET", "/api/usage"),
    ]);
    const quotas = Object.fromEntries(
      Object.entries(usage).map(([name, { used, limit }]) => [name, { used, limit, left: Math.max(0, limit - used) }]),
    );
    const lines = [
      `Account ${account}. Permissions: ${permissions.join(", ")}.`,
      ...Object.entries(quotas).map(([name, { used, limit, left }]) => `- ${name}: ${used} of ${limit}, ${left} left`),
    ];
    return {
      data: { account, permissions, expiresAt: toIso(expiresAt), quotas },
      text: lines.join("\n"),
    };
  },
});

/** The account and what this connection may do in it. An app has no time at which it expires: it is disconnected after some time without use. */
async function describeConnection(api: Api, principal: Principal) {
  if (principal.type === "app")
    return { account: principal.accountName, permissions: principal.permissions, expiresAt: null };
  const { key, account } = await api.json<{ key: ApiKey; account: { name: string } }>("GET", "/api/keys/current");
  return { account: account.name, permissions: key.permissions, expiresAt: key.expiresAt };
}
