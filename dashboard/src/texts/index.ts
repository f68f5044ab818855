// A namespace, so that a page loads only the texts that it shows. A second language is a module of the same type.

export * as texts from "./en.ts";
