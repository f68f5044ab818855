import type { heldLinks as english } from "../en/held-links.ts";
import { links } from "./arabic.ts";

export const heldLinks: typeof english = {
  blocked: "محظور",
  warned: "مع تحذير",
  filter: "محجوبة عن الزوار",
  count: (count, isExact) => `${isExact ? "" : "أكثر من "}${links(count)}: محظورة أو مع تحذير للزوار.`,
  show: "عرضها",
};
