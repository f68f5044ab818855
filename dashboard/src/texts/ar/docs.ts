/** The documents are in English only. */
export { docs } from "../en/docs.ts";
