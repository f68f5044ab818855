// A namespace, so that a page loads only the texts that it shows. The build of another language puts its modules, which have the
// same type, in the place of the English ones (dashboard/vite.config.ts).

export * as texts from "./en.ts";
