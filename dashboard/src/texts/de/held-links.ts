import type { heldLinks as english } from "../en/held-links.ts";
import { links } from "./german.ts";

export const heldLinks: typeof english = {
  blocked: "Gesperrt",
  warned: "Mit Warnung",
  filter: "Besuchern vorenthalten",
  count: (count, isExact) =>
    `${isExact ? "" : "Mehr als "}${links(count)}: gesperrt oder mit einer Warnung für Besucher.`,
  show: "Anzeigen",
};
