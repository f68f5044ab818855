import { createRequire, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/** openapi-typescript needs the compiler's API of TypeScript 5, which TypeScript 7 does not have. ts-morph contains it. */
const compiler = pathToFileURL(createRequire(import.meta.url).resolve("@ts-morph/common/dist/typescript.js")).href;

registerHooks({ resolve: (name, context, next) => next(name === "typescript" ? compiler : name, context) });
