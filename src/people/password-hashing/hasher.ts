import { DurableObject } from "cloudflare:workers";
import type { HashOutcome, VerifyOutcome } from "./hash-queue.ts";

/**
 * Hashes passwords of persons, so that the isolates of redirects do not. The code is loaded with the first call: this
 * module is a part of every isolate's start.
 */
export class PasswordHasher extends DurableObject<Env> {
  readonly #queue = import("./hash-queue.ts").then(({ HashQueue }) => new HashQueue());

  async hash(password: string): Promise<HashOutcome> {
    return (await this.#queue).hash(password);
  }

  async verify(password: string, stored: string | null): Promise<VerifyOutcome> {
    return (await this.#queue).verify(password, stored);
  }
}
