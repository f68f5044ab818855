import { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { faultsOf, StartTimeInput } from "../../../src/platform/http/validation.ts";
import { call, createAccount, jsonOf, type ErrorJson } from "../../support/api.ts";

describe("the faults of a request", () => {
  it.each([
    [
      {},
      [
        ["kind", "required"],
        ["at", "required"],
        ["word", "required"],
      ],
    ],
    [
      { kind: "c", at: true, word: "x" },
      [
        ["kind", "not_one_of"],
        ["at", "not_a_time"],
        ["word", "not_one_of"],
      ],
    ],
    [
      { kind: "a", at: 1, word: 5 },
      [
        ["size", "required"],
        ["word", "not_one_of"],
      ],
    ],
    [{ kind: "b", at: 1, word: ["one", "two"] }, [["word.1", "not_one_of"]]],
    [{ kind: "b", at: 1, word: [] }, [["word", "empty"]]],
    [{ kind: "b", at: 1, word: "one", either: true }, [["either", "none_of_types"]]],
    [{ kind: "b", at: 1, word: "one", either: { a: 1.5 } }, [["either.a", "not_whole"]]],
    [
      { kind: "b", at: 1, word: "one", either: { b: 1 } },
      [
        ["either.a", "required"],
        ["either.b", "unknown_field"],
      ],
    ],
    [{ kind: "b", at: 1, word: "one", either: [1] }, [["either", "too_few"]]],
  ])("are those of the branch of a union that %j probably means", (value, faults) => {
    const word = z.enum(["one"]);
    const rest = {
      at: StartTimeInput,
      word: z.union([word, z.array(word).min(1)]),
      either: z.union([z.string(), z.strictObject({ a: z.int() }), z.array(z.number()).min(2)]).optional(),
    };
    const schema = z.intersection(
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a"), size: z.number() }),
        z.object({ kind: z.literal("b") }),
      ]),
      z.object(rest),
    );
    const { error } = schema.safeParse(value);
    const found = error === undefined ? [] : faultsOf(error).map(({ path, code }) => [path, code]);
    expect(found).toEqual(faults);
  });

  it("repeat at most 200 characters of a value that was sent", async () => {
    const { key } = await createAccount();
    const host = `${"a".repeat(60)}.`.repeat(4);
    const body = { url: `https://${host}${"b".repeat(300)}@x/`, externalId: "x", domain: `${host}example` };
    const { error, details } = await jsonOf<ErrorJson>(
      await call("POST", "/api/links", { key, body: { ...body, url: "https://example.com/" } }),
    );
    expect(details).toMatchObject([{ code: "domain_refused", value: `${body.domain.slice(0, 200)}…` }]);
    expect(error).not.toContain(body.domain);
  });
});
