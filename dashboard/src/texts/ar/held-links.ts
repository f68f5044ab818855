import type { heldLinks as english } from "../en/held-links.ts";

export const heldLinks: typeof english = {
  blocked: "محظور",
  warned: "مع تحذير",
  filter: "محجوبة عن الزوار",
};
