/** What stands in front of a value that a filter leaves out. */
export const NOT = "!";
