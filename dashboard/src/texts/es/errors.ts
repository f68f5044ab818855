import type { errors as english } from "../en/errors.ts";

export const errors: typeof english = {
  limited: (seconds) =>
    `Demasiado rápido. Inténtalo de nuevo en ${seconds} ${seconds === 1 ? "segundo" : "segundos"}; no se pierde nada de lo que escribiste.`,
  again: (wait) => `Inténtalo de nuevo ${wait}.`,
  notFound: {
    title: "Esta página no existe",
    text: "Comprueba la dirección o continúa con tus enlaces.",
  },
  notLoaded:
    "Esta parte de la página no se pudo cargar. Comprueba tu conexión y recarga la página: puede ser de una versión anterior de Tern.",
  notOpened: "La página no se pudo abrir",
  opensOnline: "No hay conexión. Se abre en cuanto vuelvas a tenerla.",
  perhapsNew: "La conexión falló, o hay una versión nueva de Tern.",
  offline: "No se pudo conectar con el servicio. Comprueba tu conexión; no se pierde nada de lo que escribiste.",
  requestId: (id) => `Si se repite, comunícalo con este número: ${id}`,
  unexpected: "Algo ha fallado en esta página. Recárgala, y comunica el problema si se repite.",
};
