import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import jsQR from "jsqr";
import { chromium } from "playwright-core";
import { expect, it } from "vitest";
import { makeCode } from "../../src/qr/code.ts";
import type { QrOptions } from "../../src/qr/contract.ts";
import { drawImage } from "../../src/qr/image.ts";
import { readLogo } from "../../src/qr/logo-pixels.ts";
import { until } from "../support/until.ts";
import { BROWSER_ARGUMENTS, CHROMIUM } from "./support/browser.ts";

const CONTENT = "https://go.example.com/spring-26?qr=1";
/** A PNG of 2 by 2 pixels, one of which is half transparent. */
const LOGO =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAGUlEQVR4nGO4w8Dwn2EBEDMw3PkvIiLSAAA5bQYS7GzC4gAAAABJRU5ErkJggg==";

it("a PDF is shown by Chromium's viewer, and its code is read from the screen", async () => {
  const options: QrOptions = { dots: "rounded", corners: "circle", frameText: "Scan me", logo: LOGO };
  const pdf = await drawImage(makeCode(CONTENT, options, "pdf"), "pdf");
  const server = createServer((_, response) => response.setHeader("Content-Type", "application/pdf").end(pdf));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The shell has no viewer, and neither has Chromium in its old headless mode.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...BROWSER_ARGUMENTS, "--headless=new"] });
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 900 } });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/code.pdf#toolbar=0`);
    let text: string | undefined;
    await until(async () => {
      const screen = await readLogo(`data:image/png;base64,${(await page.screenshot()).toString("base64")}`);
      if (typeof screen === "string") throw new Error(screen);
      text = jsQR(new Uint8ClampedArray(screen.data), screen.width, screen.height)?.data;
      return text !== undefined;
    });
    expect(text).toBe(CONTENT);
  } finally {
    await browser.close();
    server.close();
  }
});
