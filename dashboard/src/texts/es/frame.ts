import type { frame as english } from "../en/frame.ts";

/** The texts of app.html, which are shown while the page is loading. */
export const frame: typeof english = {
  failed: "La página no se pudo cargar. Comprueba tu conexión.",
  noScript: "El panel necesita JavaScript. Los enlaces cortos y la API funcionan sin él.",
  slow: "La página se sigue cargando. Tu conexión es lenta.",
};
