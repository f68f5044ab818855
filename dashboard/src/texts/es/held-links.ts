import type { heldLinks as english } from "../en/held-links.ts";

export const heldLinks: typeof english = {
  blocked: "Bloqueado",
  warned: "Con advertencia",
  filter: "Retenidos a los visitantes",
};
