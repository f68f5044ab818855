import { expect, it } from "vitest";
import { siphash } from "../../src/lib/siphash.ts";

// Of the reference implementation (vectors_sip64): key 00 01 … 0f, messages of no byte, 00, 00 01, and so on.
const VECTORS = [
  0x726fdb47dd0e0e31n,
  0x74f839c593dc67fdn,
  0x0d6c8009d9a94f5an,
  0x85676696d7fb7e2dn,
  0xcf2794e0277187b7n,
  0x18765564cd99a68dn,
  0xcbc9466e58fee3cen,
  0xab0200f58b01d137n,
  0x93f5f5799a932462n,
  0x9e0082df0ba9e4b0n,
  0x7a5dbbc594ddb9f3n,
  0xf4b32f46226bada7n,
  0x751e8fbc860ee5fbn,
  0x14ea5627c0843d90n,
  0xf723ca908e7af2een,
  0xa129ca6149be45e5n,
];
const KEY = new Uint32Array([0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c]);

it("is SipHash-2-4 as its authors published it, in its lower 53 bits", () => {
  const found = VECTORS.map((_, length) =>
    siphash(KEY, String.fromCharCode(...Array.from({ length }, (_byte, index) => index))),
  );
  expect(found).toEqual(VECTORS.map((vector) => Number(vector & ((1n << 53n) - 1n))));
});

it("depends on the key and on every character", () => {
  const text = "203.0.113.1 1kd83jd02k3";
  const others = Array.from(text, (_, at) => siphash(KEY, `${text.slice(0, at)}_${text.slice(at + 1)}`));
  const keys = Array.from(KEY, (word, at) => siphash(KEY.with(at, word ^ 1), text));
  expect(new Set([siphash(KEY, text), ...others, ...keys]).size).toBe(1 + text.length + KEY.length);
});

it("takes a number for eight characters before the text", () => {
  for (const number of [0, 1, 0xffff_ffff, 2 ** 32, 0x12_3456_789a_bcde, Number.MAX_SAFE_INTEGER]) {
    const bytes = new Uint8Array(new BigUint64Array([BigInt(number)]).buffer);
    for (const text of ["", "7 chars", "203.0.113.1"])
      expect(siphash(KEY, text, number)).toBe(siphash(KEY, String.fromCharCode(...bytes) + text));
  }
});
