import type { heldLinks as english } from "../en/held-links.ts";

export const heldLinks: typeof english = {
  blocked: "Gesperrt",
  warned: "Mit Warnung",
  filter: "Besuchern vorenthalten",
};
