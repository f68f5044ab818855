// The documents and the API reference are in English.

export { docs } from "../en/docs.ts";
