import type { language as english } from "../en/language.ts";

export const language: typeof english = {
  browser: "Como en el navegador",
  hint: "Del panel y de tus correos. La documentación y la referencia de la API están en inglés.",
  label: "Idioma",
};
