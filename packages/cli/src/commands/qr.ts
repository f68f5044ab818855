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
import { addStyleOptions, STYLE_FIELDS, styleOf, type StyleOptions } from "../qr-style.ts";

/** Options that only images have. */
const OF_IMAGES = [...STYLE_FIELDS, "size", "sizeMm", "format"] as const;
const FORMATS = ["svg", "png", "pdf"] as const;

interface QrOptions extends StyleOptions, FileOptions, Pick<GetLinkQrCode, "format" | "size" | "sizeMm"> {
  output?: string;
  /** true without `--no-domain-style`. */
  domainStyle: boolean;
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
    .option("--no-domain-style", "without the style of the link's domain, which a code with --logo never has")
    .action(action(makeCode));
  addExamples(addForce(addStyleOptions(qr), "--output"), [
    "tern qr spring-26",
    "tern qr spring-26 --output poster.svg --level H",
    "tern qr spring-26 --output flyer.pdf --size-mm 30 --dots rounded --frame-text 'Scan me'",
    "tern qr spring-26 --output card.png --logo bird.png --logo-size 26",
    "tern qr spring-26 --format png --size 1024 --output - > poster.png",
  ]);
}

async function makeCode(context: Context<QrOptions>, text: string): Promise<void> {
  const { client, options } = context;
  const { output } = options;
  if (output === undefined) {
    const used = options.domainStyle ? OF_IMAGES.find((name) => options[name] !== undefined) : "noDomainStyle";
    if (used !== undefined) throw new UsageError(`--${kebab(used)} is for images: add --output FILE.`);
  }
  const format = options.format ?? formatOf(output);
  if (output === "-" && format !== "svg" && isTerminal()) {
    throw new UsageError(`A ${format.toUpperCase()} cannot be shown in a terminal: name a file with --output.`);
  }
  if (output === "-" && context.isJson) throw new UsageError("--json needs stdout: name a file with --output.");
  if (output !== undefined && output !== "-") checkOutput(output, options);
  const looks = { ...styleOf(options), ...pick(options, ["size", "sizeMm"]), format };
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
  // A logo is too long for a URL, and requests with a body are for any text.
  const image = await (looks.logo === undefined
    ? client.qrCodes.getForLink(link.id, { ...looks, ...(!options.domainStyle && { domainStyle: false }) })
    : client.qrCodes.make({ ...looks, content }));
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
