import { z } from "@hono/zod-openapi";
import type { ApiKey } from "../../keys/contract.ts";
import type { Usage } from "../../usage/contract.ts";
import { toIso } from "../link.ts";
import { defineTool, READS } from "../tool.ts";

export const getAccount = defineTool({
  name: "get_account",
  title: "Get account",
  description:
    "What this connection may do, the quotas of the account and what is left of them. Use it after a refusal. Example: {}",
  permissions: [],
  hints: READS,
  input: z.strictObject({}),
  output: {
    account: { type: "string" },
    permissions: { type: "array" },
    quotas: { type: "object" },
  },
  async answer(_, { api }) {
    const [{ key, account }, { usage }] = await Promise.all([
      api.json<{ key: ApiKey; account: { id: string; name: string } }>("GET", "/api/keys/current"),
      api.json<{ usage: Usage }>("GET", "/api/usage"),
    ]);
    const quotas = Object.fromEntries(
      Object.entries(usage).map(([name, { used, limit }]) => [name, { used, limit, left: Math.max(0, limit - used) }]),
    );
    const lines = [
      `Account ${account.name}. Permissions: ${key.permissions.join(", ")}.`,
      ...Object.entries(quotas).map(([name, { used, limit, left }]) => `- ${name}: ${used} of ${limit}, ${left} left`),
    ];
    return {
      data: { account: account.name, permissions: key.permissions, expiresAt: toIso(key.expiresAt), quotas },
      text: lines.join("\n"),
    };
  },
});
