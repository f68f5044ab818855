import type { z } from "@hono/zod-openapi";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Permission } from "../platform/auth/permissions.ts";
import type { Principal } from "../platform/auth/principal.ts";
import { faultsOf } from "../platform/http/validation.ts";
import { ApiFailure, type Api } from "./api.ts";
import { MAX_RESULT_CHARS } from "./limits.ts";
import { inputSchemaOf, type JsonSchema } from "./schema.ts";

/** What a tool does to the account (all four hints of the protocol). */
export interface Hints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export const READ_HINTS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const ADDS: Hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
export const CHANGE_HINTS: Hints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** Asks the person a question whose answer is yes or no. Null: the question was sent; the client repeats the call with the answer. */
export type Confirm = (question: string) => "yes" | "no" | "unavailable" | null;

export interface ToolContext {
  api: Api;
  principal: Principal;
  confirm: Confirm;
}

/** What a tool returns: data for programs, and the same in words. Text stands alone: some clients show only one of both. */
interface Answer {
  data?: Record<string, unknown>;
  text: string;
  /** A PNG image in base64. */
  image?: string;
}

/** Why a tool did nothing, and what to do next. */
export class ToolError extends Error {}

/** A tool for assistants, on top of operations of the API. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  /** A caller that lacks one of these does not see the tool. */
  permissions: readonly Permission[];
  hints: Hints;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema | null;
  run(input: unknown, context: ToolContext): Promise<CallToolResult | null>;
}

interface ToolDefinition<I extends z.ZodObject> extends Pick<
  Tool,
  "name" | "title" | "description" | "permissions" | "hints"
> {
  input: I;
  /** The members of the structured content; null for a tool without any. */
  output: Record<string, JsonSchema> | null;
  /**
   * Gets the arguments as they were given: the API parses them, so that there is one place that does. Returns null if the
   * person is asked first.
   */
  answer(this: void, input: z.input<I>, context: ToolContext): Promise<Answer | null>;
}

/** Makes a tool that checks its arguments, and answers errors with a sentence that says what to do next. */
export function defineTool<I extends z.ZodObject>(definition: ToolDefinition<I>): Tool {
  const { input, output, answer, ...rest } = definition;
  return {
    ...rest,
    inputSchema: inputSchemaOf(input),
    outputSchema: output && { type: "object", properties: output },
    async run(given, context) {
      const parsed = input.safeParse(given ?? {});
      if (!parsed.success) return toError(describeFaults(faultsOf(parsed.error)));
      try {
        const answered = await answer((given ?? {}) as z.input<I>, context);
        return answered && toResult(answered);
      } catch (error) {
        if (error instanceof ApiFailure) return toError(describeFailure(error));
        if (error instanceof ToolError) return toError(error.message);
        throw error;
      }
    },
  };
}

function toResult({ data, text, image }: Answer): CallToolResult {
  const content: CallToolResult["content"] = [{ type: "text", text }];
  if (image !== undefined) content.push({ type: "image", data: image, mimeType: "image/png" });
  return { content, ...(data !== undefined && { structuredContent: withoutNulls(data) }) };
}

function toError(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

const describeFaults = (faults: readonly { path: string; message: string }[]) =>
  `The arguments are not valid. ${faults.map(({ path, message }) => `${path || "arguments"}: ${message}.`).join(" ")} Correct them and call the tool again.`;

/** What an assistant can do about an error, where the API's sentence does not say it. */
const NEXT_STEPS: Partial<Record<ApiFailure["code"], string>> = {
  not_found: "Look the link, domain or webhook up with list_links, list_domains or list_webhook_deliveries first.",
  conflict: "Choose another value, or read what is there first.",
  limit_reached: "Tell the person: something must be deleted first, or the operator raises the limit.",
  quota_exceeded: "Tell the person: the quota of the account is used up. get_account shows it.",
  forbidden: "get_account shows the permissions of this connection. Tell the person which one is missing.",
  precondition_failed: "Read the link again before you change it.",
  unavailable: "Try again in a few seconds.",
  internal: "Try once more. If it fails again, tell the person.",
};

function describeFailure({ message, code, details = [] }: ApiFailure): string {
  if (code === "invalid_request" && details.length > 0) return describeFaults(details);
  const next = NEXT_STEPS[code];
  return next === undefined ? message : `${message} ${next}`;
}

/** The value without members that are null or undefined. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}

/** The first items that fit into a result, beside `others`. */
export function fitItems<T>(items: readonly T[], others: readonly unknown[] = []): T[] {
  const fitting: T[] = [];
  let chars = JSON.stringify(others).length;
  for (const item of items) {
    chars += JSON.stringify(withoutNulls(item)).length + 1;
    if (chars > MAX_RESULT_CHARS) break;
    fitting.push(item);
  }
  return fitting;
}
