import { fromBase64Url, toBase64Url } from "../../../src/platform/lib/base64url.ts";

// An authenticator with the browser around it: it makes real keys, attestations and assertions with WebCrypto.

const encoder = new TextEncoder();

function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

type Cbor = number | string | Uint8Array | Map<Cbor, Cbor>;

/** CBOR (RFC 8949) of what attestations contain. */
function toCbor(value: Cbor): Uint8Array {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return concat(head(3, value.length), encoder.encode(value));
  if (value instanceof Uint8Array) return concat(head(2, value.length), value);
  return concat(head(5, value.size), ...[...value].flatMap(([key, member]) => [toCbor(key), toCbor(member)]));
}

function head(type: number, value: number): Uint8Array {
  if (value < 24) return Uint8Array.of((type << 5) | value);
  return value < 256
    ? Uint8Array.of((type << 5) | 24, value)
    : Uint8Array.of((type << 5) | 25, value >> 8, value & 255);
}

/** An ECDSA signature in the form of WebAuthn: DER instead of two plain numbers. */
export function toDer(signature: Uint8Array): Uint8Array {
  const numbers = [signature.slice(0, 32), signature.slice(32)].map((bytes) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = bytes.slice(start);
    const number = (digits[0] ?? 0) > 127 ? concat(Uint8Array.of(0), digits) : digits;
    return concat(Uint8Array.of(2, number.length), number);
  });
  const body = concat(...numbers);
  return concat(Uint8Array.of(0x30, body.length), body);
}

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

/** How an authenticator or its browser differs from an honest one that verifies the person. */
export interface Behaviour {
  origin?: string;
  verifiesUser?: boolean;
  counter?: number;
  userHandle?: string | null;
}

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

/** One passkey. */
export class Authenticator {
  readonly #keys: CryptoKeyPair;
  readonly #origin: string;
  readonly id: string;
  userHandle = "";
  rpId = "";

  private constructor(keys: CryptoKeyPair, origin: string, id: string) {
    this.#keys = keys;
    this.#origin = origin;
    this.id = id;
  }

  static async create(origin = "https://tern.test", id = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))) {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const keys = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
    return new Authenticator(keys, origin, id);
  }

  /** Answers the options of a new passkey (navigator.credentials.create). */
  async register(options: object, { origin, verifiesUser = true, counter = 0 }: Behaviour = {}) {
    const { challenge, rp, user } = options as CreationOptions;
    this.userHandle = user.id;
    this.rpId = rp.id;
    const jwk = (await crypto.subtle.exportKey("jwk", this.#keys.publicKey)) as { x: string; y: string };
    const coordinates: [number, Uint8Array][] = [
      [-2, fromBase64Url(jwk.x)],
      [-3, fromBase64Url(jwk.y)],
    ];
    const key = toCbor(new Map<Cbor, Cbor>([[1, 2], [3, -7], [-1, 1], ...coordinates]));
    const id = fromBase64Url(this.id);
    const credential = concat(new Uint8Array(16), Uint8Array.of(id.length >> 8, id.length & 255), id, key);
    const data = concat(await this.#header(HAS_CREDENTIAL, verifiesUser, counter), credential);
    const attestation = new Map<Cbor, Cbor>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", data],
    ]);
    return this.#answer({
      clientDataJSON: toBase64Url(this.#clientData("webauthn.create", challenge, origin)),
      attestationObject: toBase64Url(toCbor(attestation)),
      transports: ["internal"],
    });
  }

  /** Answers the options of a proof (navigator.credentials.get). */
  async prove(options: object, behaviour: Behaviour = {}) {
    const { origin, verifiesUser = true, counter = 0, userHandle = this.userHandle } = behaviour;
    const { challenge } = options as { challenge: string };
    const clientData = this.#clientData("webauthn.get", challenge, origin);
    const data = await this.#header(0, verifiesUser, counter);
    const signed = concat(data, await sha256(clientData));
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const signature = new Uint8Array(await crypto.subtle.sign(algorithm, this.#keys.privateKey, signed));
    return this.#answer({
      clientDataJSON: toBase64Url(clientData),
      authenticatorData: toBase64Url(data),
      signature: toBase64Url(toDer(signature)),
      ...(userHandle === null ? {} : { userHandle }),
    });
  }

  #answer<R extends object>(response: R) {
    return { id: this.id, rawId: this.id, type: "public-key" as const, clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, origin = this.#origin): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(encoder.encode(JSON.stringify({ type, challenge, origin, crossOrigin: false })));
  }

  async #header(flags: number, verifiesUser: boolean, counter: number): Promise<Uint8Array> {
    const all = flags | USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0);
    const count = new Uint8Array(4);
    new DataView(count.buffer).setUint32(0, counter);
    return concat(await sha256(Uint8Array.from(encoder.encode(this.rpId))), Uint8Array.of(all), count);
  }
}
