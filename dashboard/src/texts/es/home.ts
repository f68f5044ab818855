import type { home as english } from "../en/home.ts";

export const home: typeof english = {
  action: "Acortar",
  closed: "Inicia sesión para acortar enlaces: este servicio no los crea para desconocidos.",
  copied: "Copiado",
  copy: "Copiar",
  description:
    "Acorta un enlace al momento, con su código QR. Con una cuenta puedes contar sus clics, usar tu propio dominio y conservarlo para siempre.",
  developers: {
    title: "También para programas",
    text: "Una API para todo lo que ves, webhooks firmados y enlaces por centenares en una sola solicitud.",
    link: "Referencia de la API",
  },
  docs: "Documentación",
  download: "Descargar código QR",
  empty: "Pega antes una dirección larga.",
  ended: "Este enlace corto ha terminado, así que no lleva a ninguna parte.",
  expires: "El enlace funciona durante 30 días.",
  failed: "No se pudo conectar con el servicio. Inténtalo de nuevo; la dirección sigue en el campo.",
  fileName: (slug) => `${slug}.svg`,
  heading: "Enlaces cortos que responden al instante",
  invalid: (reason) => `Esta dirección no se puede acortar: ${reason}.`,
  keep: "Crea una cuenta para conservarlo y ver sus clics.",
  known: "Esto ya es un enlace corto. Aquí tienes su código QR.",
  label: "Dirección larga",
  lead: "Pega una dirección larga. Obtienes una corta y su código QR, servida desde el centro de datos más cercano a tu visitante.",
  limited: (seconds) =>
    `Has creado muchos enlaces en poco tiempo. Inténtalo de nuevo en ${seconds === 1 ? "1 segundo" : `${seconds} segundos`}.`,
  locked: "Adónde lleva solo se muestra a los visitantes que tienen su contraseña.",
  note: "No hace falta una cuenta.",
  numbers: {
    title: "Estadísticas sin cookies",
    text: "Mira los clics por país, dispositivo, procedencia y campaña en cuanto ocurren. A los visitantes se les cuenta, no se les sigue.",
  },
  own: "Esta es una página de este servicio. Pega la dirección de otro sitio.",
  placeholder: "https://example.com/una/pagina/larga",
  previewed: "Los visitantes ven primero una página que muestra adónde lleva el enlace.",
  printed: {
    title: "Imprímelo sin miedo",
    text: "La mayoría de los enlaces en uso resisten una caída de la base de datos. Cambia el destino cuando quieras; el código impreso sigue igual.",
  },
  qr: "Código QR del enlace corto",
  signIn: "Iniciar sesión",
  title: "Tern: enlaces cortos que responden al instante",
  unknown: "Parece un enlace corto de este servicio, pero no existe. Comprueba cómo está escrito.",
};
