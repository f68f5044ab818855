import { Secret, TOTP } from "otpauth";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { post, tokenOf } from "./dashboard.ts";

export const PASSWORD = "seventeen quiet lanterns";

let nextAddress = 1;

/** An address without a user. */
export const newAddress = (): string => `visitor${process.pid}x${nextAddress++}@example.com`;

/** Creates a team whose owner is the person of the session. Returns its id. */
export async function createTeam(owner: BrowserContext, name = "Lighthouse"): Promise<string> {
  return ((await post(owner, "/api/teams", { name })) as { team: { id: string } }).team.id;
}

/** Makes the person a member of the team, by an invitation of the owner. */
export async function joinTeam(
  owner: BrowserContext,
  teamId: string,
  { context, person }: { context: BrowserContext; person: { email: string } },
  role: string,
): Promise<void> {
  await post(owner, `/api/teams/${teamId}/invitations`, { email: person.email, role });
  await post(context, "/api/teams/invitations/accept", { token: await tokenOf(person.email, "invitation") }, 200);
}

/** An authenticator app. Returns the code that it shows `steps` steps of 30 seconds from now. */
export type App = (steps?: number) => string;

export function appOf(secret: string): App {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return (steps = 0) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Adds an authenticator app by the calls that the pages make. */
export async function addApp(context: BrowserContext): Promise<{ app: App; recoveryCodes: string[] }> {
  const { secret } = (await post(context, "/api/auth/mfa/totp", {}, 200)) as { secret: string };
  const app = appOf(secret);
  // A code works once: the one of the step before is still accepted, and the present one is left for the sign-in.
  const added = await post(context, "/api/auth/mfa/totp/confirm", { code: app(-1) }, 200);
  return { app, ...(added as { recoveryCodes: string[] }) };
}

export interface Authenticator {
  /** Whether the person touches it whenever it is asked. */
  touch: (touches: boolean) => Promise<void>;
}

/** Gives the page Chromium's virtual authenticator, which verifies the person. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const devTools: CDPSession = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    touch: async (enabled) => {
      await devTools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
  };
}

/**
 * Opens the page for signing in, which offers a passkey at the address, and asks for one by the button. The person touches
 * the authenticator once the offer has ended, and before the button's request reaches it.
 */
export async function offerAndTouch(page: Page, authenticator: Authenticator, button: string): Promise<void> {
  const options = "**/api/auth/passkeys/sign-in/options";
  await Promise.all([page.waitForResponse(options), page.goto("/app/sign-in")]);
  await page.route(
    options,
    async (route) => {
      await authenticator.touch(true);
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: button }).click();
}

/** Presses Tab until the element with this accessible name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const isFocused = async () => {
    const focused = page.locator(":focus");
    if ((await focused.count()) === 0) return false;
    const label = await focused.evaluate((element) => {
      const labels = (element as HTMLInputElement).labels;
      return element.getAttribute("aria-label") ?? labels?.[0]?.textContent ?? element.textContent ?? "";
    });
    return typeof name === "string" ? label.trim() === name : name.test(label);
  };
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    if (await isFocused()) return;
  }
  throw new Error(`Tab reaches no ${String(name)}.`);
}
