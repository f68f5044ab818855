import { encodeQR } from "qr";
import { asStyled, hasColors } from "./terminal.ts";

/** Empty modules around the code; scanners need them. */
const BORDER = 2;

/**
 * Draws a QR code with two modules a character. With colours it is black on white; without them the light modules are
 * drawn, for terminals with light text on a dark background.
 */
export function drawQrCode(content: string): string[] {
  const modules = encodeQR(content, "raw", { border: BORDER });
  const isColored = hasColors(process.stdout);
  const lines: string[] = [];
  for (let row = 0; row < modules.length; row += 2) {
    const upper = modules[row] ?? [];
    const lower = modules[row + 1] ?? [];
    const characters = upper.map((dark, column) =>
      halfBlock(dark !== isColored, (lower[column] ?? false) !== isColored),
    );
    // Black text on white, whatever the terminal's own colours are.
    lines.push(isColored ? asStyled(`\u001B[38;5;16;48;5;231m${characters.join("")}\u001B[0m`) : characters.join(""));
  }
  return lines;
}

function halfBlock(isUpperEmpty: boolean, isLowerEmpty: boolean): string {
  if (isUpperEmpty) return isLowerEmpty ? " " : "▄";
  return isLowerEmpty ? "▀" : "█";
}
