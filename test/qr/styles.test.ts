import { describe, expect, it } from "vitest";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";
import { fakeImage } from "../support/fake-image.ts";
import { postQr } from "../support/qr.ts";

describe("a style", () => {
  it.each([
    [{ frameColor: "#123456" }, "frameColor", { code: "needs", field: "frameText" }],
    [{ frameText: "東京" }, "frameText", { code: "unknown_letters", value: "東 京" }],
    [{ frameText: "a".repeat(31) }, "frameText", { code: "too_long", max: 30 }],
    [{ frameText: "Scan me", margin: 1 }, "margin", { code: "small_margin", min: 2 }],
    [{ logoSize: 20 }, "logoSize", { code: "needs", field: "logo" }],
    [{ logo: fakeImage("png"), level: "Q", logoSize: 25 }, "logoSize", { code: "logo_too_large", max: 24, level: "Q" }],
    [{ format: "pdf", size: 300 }, "size", { code: "not_for_pdf" }],
    [{ sizeMm: 30 }, "sizeMm", { code: "only_for_pdf" }],
    [{ format: "pdf", sizeMm: 10, content: "a".repeat(60) }, "sizeMm", { code: "code_too_small", min: 11 }],
    [{ format: "png", size: 98, dots: "round" }, "size", { code: "code_too_small", min: 99 }],
    [{ dots: "round", content: "a".repeat(700) }, "content", { code: "too_long_for_style" }],
    [
      { dots: "round", foreground: "#2319c6", background: "#0ba722" },
      "foreground",
      { code: "as_bright", value: "#0ba722" },
    ],
    [{ dots: "dot" }, "dots", { code: "not_one_of", allowed: ["square", "rounded", "round"] }],
    [{ corners: "round" }, "corners", { code: "not_one_of", allowed: ["square", "rounded", "circle"] }],
  ])("%j is refused with what to change", async (fields, path, fault) => {
    const { key } = await createAccount();
    const response = await postQr(key, fields);
    const { details } = await jsonOf<ErrorJson>(response);
    expect({ status: response.status, details }).toMatchObject({
      status: 400,
      details: [{ path, ...fault }],
    });
  });
});

it("a PDF has one page of the given width in millimetres, and its table names where each object is", async () => {
  const { key } = await createAccount();
  const { id } = await createLink(key, { slug: "printed" });
  const query = "format=pdf&sizeMm=30&dots=round&frameText=Scan%20me&download=true";
  const response = await call("GET", `/api/links/${id}/qr?${query}`, { key });
  expect(response.headers.get("Content-Type")).toBe("application/pdf");
  expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="printed.pdf"');
  const text = new TextDecoder("latin1").decode(await response.arrayBuffer());
  const [, width, height] = /MediaBox\[0 0 ([\d.]+) ([\d.]+)\]/.exec(text) ?? [];
  expect(Number(width)).toBeCloseTo((30 * 72) / 25.4, 2);
  expect(Number(height)).toBeGreaterThan(Number(width));
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const entries = Array.from(text.slice(start).matchAll(/(\d{10}) 00000 n /g), ([, position]) => Number(position));
  expect(entries).toHaveLength(4);
  for (const [index, position] of entries.entries())
    expect(text.slice(position)).toMatch(new RegExp(`^${index + 1} 0 obj\n`));
});
