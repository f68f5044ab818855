import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeQR } from "qr/decode.js";
import { expect, test } from "vitest";
import type { Link } from "@tern/sdk";
import { MAX_QR_LOGO_BYTES } from "../../../src/qr/limits.ts";
import { imageOf } from "../../support/fake-image.ts";
import { installation, prepareInstallation, tern } from "./support/installation.ts";

prepareInstallation();

test("a QR code is drawn so that it can be scanned, and written to files", async () => {
  const { shortUrl } = await tern.json<Link>("links", "create", "https://example.com/", "--slug", "coded");
  const drawn = await tern.run(["qr", "coded"]);
  expect(scan(drawn.output.split("\n").slice(0, -2))).toBe(`${shortUrl}?qr=1`);
  const colored = await tern.runInTerminal(["qr", "coded"]);
  expect(colored.output).toContain("\u001B[38;5;16;48;5;231m");

  expect((await tern.run(["qr", "coded", "--output", "code.svg"])).output).toBe("Wrote code.svg\n");
  expect(readFileSync(join(tern.folder, "code.svg"), "utf8")).toContain("<svg");
  await tern.json("qr", "coded", "-o", "code.png", "--size", "256");
  expect((await tern.run(["qr", "coded", "-o", "code.png", "--force"])).exitCode).toBe(0);
  expect(readFileSync(join(tern.folder, "code.png")).subarray(1, 4).toString()).toBe("PNG");
  expect((await tern.run(["qr", "coded", "-o", "-"])).output).toContain("<svg");
  for (const wrong of [
    ["--size", "256"],
    ["--no-domain-style"],
    ["-o", "code.gif"],
    ["-o", "code.svg"],
    ["-o", "no-folder/code.svg"],
    ["-o", "-", "--json"],
  ]) {
    expect((await tern.run(["qr", "coded", ...wrong])).exitCode, wrong.join(" ")).toBe(2);
  }
});

test("the image of a QR code has a logo of a file, or the style of the link's domain", async () => {
  const user = await installation.newTern();
  await user.json("domains", "add", "codes.acme.com");
  await user.json("domains", "verify", "codes.acme.com");
  await user.json("links", "create", "https://example.com/", "--slug", "styled", "--domain", "codes.acme.com");
  const write = (name: string, bytes: Uint8Array) => writeFileSync(join(user.folder, name), bytes);
  write("bird.png", imageOf("png", MAX_QR_LOGO_BYTES));
  write("bird.jpg", imageOf("jpeg", 200));
  write("large.png", imageOf("png", MAX_QR_LOGO_BYTES + 1));
  write("bird.gif", imageOf("gif", 0));
  const draw = async (...options: string[]) => {
    const { exitCode, output, errors } = await user.run(["qr", "styled", "-o", "-", ...options]);
    expect(errors).toBe("");
    expect(exitCode).toBe(0);
    return output;
  };
  const plain = await draw();
  const logo = `data:image/png;base64,${readFileSync(join(user.folder, "bird.png")).toString("base64")}`;
  const usual = await draw("--logo", "bird.png");
  expect(usual).toContain(logo);
  expect(await draw("--logo", "bird.png", "--logo-size", "22")).toBe(usual);
  expect(await draw("--logo", "bird.png", "--logo-size", "30")).not.toBe(usual);
  expect(await draw("--logo", "bird.jpg")).toContain("data:image/jpeg;base64,");
  const refused = await user.run(["qr", "styled", "-o", "-", "--logo", "bird.png", "--logo-size", "31"]);
  expect(refused).toMatchObject({ exitCode: 1, errors: expect.stringContaining("logoSize: must be from 10 to 30") });
  for (const file of ["large.png", "bird.gif", "none.png"]) {
    const outcome = await user.run(["qr", "styled", "-o", "-", "--logo", file]);
    expect(outcome, file).toMatchObject({ exitCode: 2, errors: expect.stringContaining(file) });
  }

  const style = ["domains", "qr-style", "codes.acme.com"];
  expect(await user.json(...style)).toBeNull();
  const kept = { foreground: "#12492b", dots: "rounded", logoSize: 26, logo };
  const fields = ["--foreground", "#12492b", "--dots", "rounded", "--logo", "bird.png", "--logo-size", "26"];
  expect(await user.json(...style, ...fields)).toEqual(kept);
  expect(await user.json(...style)).toEqual(kept);
  expect((await user.run(style)).output).toBe(
    "foreground\t#12492b\nlogo\tdata:image/png\ndots\trounded\nlogoSize\t26\n",
  );
  expect(await draw()).toBe(await draw("--no-domain-style", ...fields));
  expect(await draw("--no-domain-style")).toBe(plain);
  // The options are the whole style.
  expect(await user.json(...style, "--margin", "2")).toEqual({ margin: 2 });

  const wrong = await user.run([...style, "--foreground", "#fefefe"]);
  expect(wrong).toMatchObject({ exitCode: 1, errors: expect.stringContaining("qrStyle.foreground: ") });
  const wide = await user.run([...style, "--logo", "bird.jpg", "--logo-size", "30", "--level", "Q"]);
  expect(wide).toMatchObject({ exitCode: 1, errors: expect.stringContaining("qrStyle.logoSize: must be at most 24") });
  expect((await user.run([...style, "--remove", "--margin", "2"])).exitCode).toBe(2);
  expect(await user.json(...style)).toEqual({ margin: 2 });
  expect(await user.json(...style, "--remove")).toBeNull();
  expect((await user.run(style)).errors).toContain("no style");
  expect(await draw()).toBe(plain);
});

/** Reads a code whose light modules are drawn. */
function scan(lines: string[]): string {
  const lit = (character: string, half: "▀" | "▄") => character === "█" || character === half;
  const rows = lines.flatMap((line) => [
    Array.from(line).map((each) => lit(each, "▀")),
    Array.from(line).map((each) => lit(each, "▄")),
  ]);
  const scale = 4;
  const width = Math.max(...rows.map((row) => row.length)) * scale;
  const height = rows.length * scale;
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isLight = rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] ?? false;
      data.fill(isLight ? 255 : 0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return decodeQR({ width, height, data });
}
