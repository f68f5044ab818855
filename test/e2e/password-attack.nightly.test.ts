import { afterAll, beforeAll, expect, it } from "vitest";
import { mapLimit } from "../../src/platform/lib/map-limit.ts";
import type { Link } from "../../src/links/contract.ts";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { startService, type Service } from "./support/service.ts";

// As many addresses as a botnet has, each within all limits.

const GUESSES = 600;
/** One in a hundred guesses is right. */
const RIGHT_EACH = 100;
const CONCURRENT = 8;
const PASSWORD = "correct horse";

let service: Service<"here">;

beforeAll(async () => {
  service = await startService({ here: "one" });
});
afterAll(() => service.stop());

/** Hundreds of requests take long on a busy machine. */
const TIMEOUT_MS = 600_000;

it(
  "lets in who has the password among hundreds of wrong guesses, and shows the owner the attack",
  { timeout: TIMEOUT_MS },
  async () => {
    const { here } = service.isolates;
    const { key } = await createAccount(service.db);
    const { id } = await createLink(here, key, { url: "https://example.com/", slug: "guessed", password: PASSWORD });
    // On a busy machine, the rate limiter may take too long to respond: a 503, which refuses nobody in particular.
    const guess = async (password: string): Promise<number> => {
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const body = new URLSearchParams({ password }).toString();
      const { status } = await here.request("POST", "/guessed", { headers, body });
      return status === 503 ? guess(password) : status;
    };
    /** How often each status answered a wrong guess, or a right one. */
    const answers: Record<string, number> = {};
    await mapLimit(
      Array.from({ length: GUESSES }, (_, n) => (n % RIGHT_EACH === 0 ? PASSWORD : `wrong ${n}`)),
      CONCURRENT,
      async (password) => {
        const answer = `${password === PASSWORD ? "right" : "wrong"}: ${await guess(password)}`;
        answers[answer] = (answers[answer] ?? 0) + 1;
      },
    );
    const right = GUESSES / RIGHT_EACH;
    expect(answers).toEqual({ "right: 303": right, "wrong: 403": GUESSES - right });
    expect(await guess(PASSWORD)).toBe(303);
    await here.settled();
    const { link } = (await callApi(here, key, "GET", `/api/links/${id}`)).json() as { link: Link };
    expect(link.passwordAttackedAt).toEqual(expect.any(Number));
  },
);
