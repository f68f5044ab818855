/** The decoder alone: the package's main module would bring its encoder into the Worker. */
declare module "jpeg-js/lib/decoder.js" {
  export { decode as default } from "jpeg-js";
}
