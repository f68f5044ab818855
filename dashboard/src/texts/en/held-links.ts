import { formatCount } from "../../lib/format.ts";

/** Links that are blocked, or of which visitors are warned. */
export const heldLinks = {
  blocked: "Blocked",
  warned: "Warning",
  filter: "Kept from visitors",
  count: (count: number, isExact: boolean) => {
    const [links, are] =
      count === 1 ? ["1 link", "is blocked or has"] : [`${formatCount(count)} links`, "are blocked or have"];
    return `${isExact ? "" : "More than "}${links} ${are} a warning for visitors.`;
  },
  show: "Show them",
};
