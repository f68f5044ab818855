import type { heldLinks as english } from "../en/held-links.ts";
import { links } from "./plural.ts";

export const heldLinks: typeof english = {
  blocked: "Bloqueado",
  warned: "Con advertencia",
  filter: "Retenidos a los visitantes",
  count: (count, isExact) =>
    `${isExact ? "" : "Más de "}${links(count)}: con bloqueo o con una advertencia a los visitantes.`,
  show: "Mostrar",
};
