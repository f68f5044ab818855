import { expect, it } from "vitest";
import {
  AsnParser,
  Certificate,
  ECDSASigValue,
  X509Certificate,
} from "../../../src/identity/people/factors/no-certificates.ts";
import { toDer } from "./authenticator.ts";

// The tests in this runtime have the library's own packages. test/browser/passkeys.test.ts signs in at the built Worker.

async function sign(): Promise<Uint8Array> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const { privateKey } = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
  return new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, new Uint8Array(8)));
}

/** The number as 32 bytes. */
const padded = (number: Uint8Array) => [...new Uint8Array(32), ...number].slice(-32);

it("reads the numbers of a signature, also those that begin with zeros or need one before them", async () => {
  const small = new Uint8Array(64).fill(1, 31, 32).fill(0x80, 34);
  for (const signature of [small, ...(await Promise.all(Array.from({ length: 100 }, sign)))]) {
    const { r, s } = AsnParser.parse(toDer(signature), ECDSASigValue);
    expect([...padded(r), ...padded(s)]).toEqual([...signature]);
  }
});

it("refuses what is no signature in DER", async () => {
  const der = toDer(await sign());
  const others = [new Uint8Array(), der.slice(0, -1), Uint8Array.of(...der, 0), der.with(0, 0x31), der.with(2, 3)];
  for (const bytes of [...others, der.with(3, 31), der.with(3, 255)])
    expect(() => AsnParser.parse(bytes, ECDSASigValue)).toThrow("The signature is not in DER.");
});

it("says that it reads no certificates", () => {
  const message = "Attestations with certificates are not supported.";
  expect(() => AsnParser.parse(Uint8Array.of(0x30, 0), Certificate)).toThrow(message);
  expect(() => new X509Certificate()).toThrow(message);
});
