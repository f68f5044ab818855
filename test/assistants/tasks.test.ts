import { describe, expect, it } from "vitest";
import { readPng } from "../support/png.ts";
import { scan } from "../support/scanner.ts";
import { callTool, textOf } from "./client.ts";
import { createWorld, type Data, type World } from "./task-world.ts";
import { TASKS } from "./tasks.ts";

// What people ask assistants, as the calls that an assistant makes. The answer must be in the structured content and in the
// text, because clients show the model only one of both.

const MAX_CALLS = 4;
const MAX_RESULT_TOKENS = 6_000;
/** About, in English and in JSON. */
const CHARS_PER_TOKEN = 4;

describe("a task in plain words", () => {
  it.each(TASKS)("$ask", async (task) => {
    const given = await createWorld();
    let calls = 0;
    let tokens = 0;
    let lastText = "";
    const use: World["use"] = async (name, args = {}) => {
      const reply = await callTool(given.key, name, args);
      lastText = textOf(reply);
      expect(reply.isError, lastText).toBeUndefined();
      calls++;
      const { structuredContent, content } = reply;
      const size = tokensOf(structuredContent === undefined ? lastText : JSON.stringify(structuredContent));
      expect(Math.max(size, tokensOf(lastText))).toBeLessThanOrEqual(MAX_RESULT_TOKENS);
      tokens += tokensOf(JSON.stringify(args)) + Math.max(size, tokensOf(lastText));
      const image = content.find(({ type }) => type === "image");
      if (image === undefined) return structuredContent as Data;
      const { pixels } = await readPng(Uint8Array.fromBase64(image.data ?? ""));
      return { scanned: scan(pixels) } as unknown as Data;
    };
    const world = { ...given, use };
    await task.given?.(world);
    expect(await task.run(world)).toMatchObject(task.data as object);
    expect(lastText).toMatch(task.text);
    expect(calls).toBeLessThanOrEqual(MAX_CALLS);
    expect(tokens).toBeLessThanOrEqual(task.tokens);
  });

  it("is one of twenty", () => {
    expect(new Set(TASKS.map(({ ask }) => ask)).size).toBe(20);
  });
});

const tokensOf = (text: string) => Math.ceil(text.length / CHARS_PER_TOKEN);
