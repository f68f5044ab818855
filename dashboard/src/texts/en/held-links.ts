/** Links that are blocked, or of which visitors are warned. */
export const heldLinks = {
  blocked: "Blocked",
  warned: "Warning",
  filter: "Kept from visitors",
};
