import type { requestLog as english } from "../en/request-log.ts";

export const requestLog: typeof english = {
  title: "Solicitudes a la API",
  lead: "Lo que los programas pidieron a la API con las claves de esta cuenta en los últimos 7 días. Las solicitudes nuevas aparecen al cabo de unos 10 segundos.",
  link: "Solicitudes",
  linkOf: (name) => `Solicitudes con “${name}”`,
  all: "Todas las solicitudes",
  filter: {
    key: "Clave",
    allKeys: "Todas las claves",
    status: "Estado",
    allStatuses: "Todos",
    method: "Método",
    allMethods: "Todos",
  },
  statuses: { "2xx": "2xx: hecha", "3xx": "3xx: redirigida", "4xx": "4xx: rechazada", "5xx": "5xx: fallida" },
  request: "Solicitud",
  answer: "Estado",
  key: "Clave",
  time: "Hora",
  unknownKey: "una clave anterior",
  took: (ms) => `${ms} ms`,
  id: (id) => `Id de la solicitud: ${id}`,
  empty: {
    title: "Todavía no hay solicitudes",
    text: "Cuando un programa use una clave de esta cuenta, sus solicitudes aparecerán aquí.",
  },
  noMatch: { title: "No hay solicitudes así", text: "Ninguna solicitud de los últimos 7 días cumple estos filtros." },
  off: "El operador de este servicio ha desactivado el registro de solicitudes.",
  leftOut: (count) =>
    `${count} solicitudes de estos días no están en el registro: guarda las más recientes de cada día.`,
};
