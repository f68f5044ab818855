import { extname } from "node:path";
import type { GetLinkQrCode } from "@tern/sdk";
import { Option, type Command } from "commander";
import { readBytes } from "../client.ts";
import { action, type Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { findLink } from "../links/find-link.ts";
import { addExamples, pick, wholeNumber } from "../options.ts";
import { addForce, checkOutput, writeOutput, type FileOptions } from "../output/file.ts";
import { drawQrCode } from "../output/qr-art.ts";
import { isTerminal, print, printFile } from "../output/terminal.ts";

const APPEARANCE = [
  "size",
  "sizeMm",
  "margin",
  "level",
  "foreground",
  "background",
  "dots",
  "corners",
  "frameText",
  "frameColor",
] as const;
const FORMATS = ["svg", "png", "pdf"] as const;

interface QrOptions extends GetLinkQrCode, FileOptions {
  output?: string;
}

export function addQr(program: Command): void {
  const qr = program
    .command("qr")
    .description("draw the QR code of a link in the terminal, or write it to a file")
    .argument("<link>", "an id, a short URL, or a slug")
    .option("-o, --output <file>", "write the image to this file; - is stdout")
    .addOption(
      new Option("--format <format>", "the format of the image (default: that of the file's name, or svg)").choices(
        FORMATS,
      ),
    )
    .option("--size <pixels>", "width and height of the image", wholeNumber)
    .option("--size-mm <millimetres>", "width of a PDF", wholeNumber)
    .option("--margin <modules>", "the empty border", wholeNumber)
    .addOption(new Option("--level <level>", "error correction of the image").choices(["L", "M", "Q", "H"]))
    .option("--foreground <color>", "such as #12492b")
    .option("--background <color>", "such as #ffffff")
    .addOption(new Option("--dots <form>", "form of the modules").choices(["square", "rounded", "round"]))
    .addOption(new Option("--corners <form>", "form of the corner patterns").choices(["square", "rounded", "circle"]))
    .option("--frame-text <text>", "a frame with this call to action, such as Scan me")
    .option("--frame-color <color>", "of the frame")
    .action(action(makeCode));
  addExamples(addForce(qr, "--output"), [
    "tern qr spring-26",
    "tern qr spring-26 --output poster.svg --level H",
    "tern qr spring-26 --output flyer.pdf --size-mm 30 --dots rounded --frame-text 'Scan me'",
    "tern qr spring-26 --format png --size 1024 --output - > poster.png",
  ]);
}

async function makeCode(context: Context<QrOptions>, text: string): Promise<void> {
  const { client, options } = context;
  const { output } = options;
  if (output === undefined) {
    const used = [...APPEARANCE, "format" as const].find((name) => options[name] !== undefined);
    if (used !== undefined) throw new UsageError(`--${kebab(used)} is for images: add --output FILE.`);
  }
  const format = options.format ?? formatOf(output);
  if (output === "-" && format !== "svg" && isTerminal()) {
    throw new UsageError(`A ${format.toUpperCase()} cannot be shown in a terminal: name a file with --output.`);
  }
  if (output === "-" && context.isJson) throw new UsageError("--json needs stdout: name a file with --output.");
  if (output !== undefined && output !== "-") checkOutput(output, options);
  const link = await findLink(client, text);
  // The mark counts a visit as one by QR code.
  const content = `${link.shortUrl}?qr=1`;
  if (output === undefined) {
    context.show({ id: link.id, content, file: null }, () => {
      for (const line of drawQrCode(content)) print(line);
      print(link.shortUrl);
    });
    return;
  }
  const image = await client.qrCodes.getForLink(link.id, { ...pick(options, APPEARANCE), format });
  const bytes = await readBytes(image);
  if (output === "-") {
    printFile(bytes);
    return;
  }
  writeOutput(output, bytes);
  context.show({ id: link.id, content, file: output }, () => print(`Wrote ${output}`));
}

/** The name of an option as it is typed. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function formatOf(file = "-"): (typeof FORMATS)[number] {
  const extension = extname(file).toLowerCase();
  if (extension === ".png") return "png";
  if (extension === ".pdf") return "pdf";
  if (extension === ".svg" || extension === "") return "svg";
  throw new UsageError(`${file}: QR codes are SVG, PNG or PDF files. Use such a name, or add --format.`);
}
