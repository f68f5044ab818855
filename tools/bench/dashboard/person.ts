import type { Browser, BrowserContext } from "playwright-core";
import { launchBrowser, VISITOR } from "../../../test/browser/support/browser.ts";
import { startDashboardService } from "../../../test/browser/support/dashboard-service.ts";
import { until } from "../../../test/support/until.ts";

const EMAIL = "ann.lee@acme.example";
/** A password that the service accepts. */
const PASSWORD = "seventeen quiet lanterns";

type Call = (path: string, data?: object, method?: "post" | "delete") => Promise<unknown>;

/** Signs a person up in this browser context. Returns the function that calls the API as that person. */
export async function signUp(context: BrowserContext, origin: string): Promise<Call> {
  const call: Call = async (path, data, method = "post") => {
    const response = await context.request[method](origin + path, { data, headers: { Origin: origin } });
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
    return response.json();
  };
  await call("/api/auth/sign-up", { email: EMAIL, password: PASSWORD, name: "Ann Lee" });
  let token: string | undefined;
  await until(async () => {
    const headers = { "CF-Connecting-IP": "127.0.0.1" };
    const response = await context.request.get(`${origin}/api/auth/outbox`, { headers });
    const { mails } = (await response.json()) as { mails: { to: string; link: string }[] };
    token = mails.find(({ to }) => to === EMAIL)?.link.split("#token=")[1];
    return token !== undefined;
  });
  await call("/api/auth/verify-email", { token });
  return call;
}

/** The service with the sample of `npm start -- --sample`, and a browser in which its owner is signed in. */
export interface SampleService {
  browser: Browser;
  origin: string;
  key: string;
  storageState: Awaited<ReturnType<BrowserContext["storageState"]>>;
  stop: () => Promise<void>;
}

export async function startSampleService(): Promise<SampleService> {
  const { origin, key, signInUrl, stop } = await startDashboardService("src/index.ts", "--sample");
  const browser = await launchBrowser(new URL(origin).host);
  const context = await browser.newContext({ userAgent: VISITOR });
  const page = await context.newPage();
  await page.goto(signInUrl);
  await page.waitForURL(`${origin}/app/links`);
  const storageState = await context.storageState();
  await context.close();
  return {
    browser,
    origin,
    key,
    storageState,
    async stop() {
      await browser.close();
      await stop();
    },
  };
}
