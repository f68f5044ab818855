import type { mailReports as english } from "../en/mail-reports.ts";

export const mailReports: typeof english = {
  send: "Enviar como informe",
  all: "Todos los enlaces",
  ofTag: (tag) => `Enlaces con la etiqueta “${tag}”`,
  schedule: {
    label: "Frecuencia",
    weekly: "Cada lunes, de la semana anterior",
    monthly: "El primer día de cada mes, del mes anterior",
    hint: "A las 07:00 de la zona horaria de abajo.",
    next: (when) => `El próximo llega el ${when}.`,
  },
  subscribe: {
    title: "Recibir clics por correo",
    ofLink: (link) => `Recibir los clics de ${link} por correo`,
    lead: (email) =>
      `${email} recibe un correo con clics y visitantes, su cambio, y los enlaces, países y sitios de origen más frecuentes. Otros filtros de la página no cuentan.`,
    links: "Enlaces",
    action: "Enviármelo",
    created: "Recibes este informe por correo.",
    list: "Todos los informes que recibes de esta cuenta",
  },
  settings: {
    lead: "Los clics de esta cuenta que recibes por correo. Los demás no ven tus informes. Cada correo tiene un enlace que lo detiene.",
    create: "Elegir en las estadísticas",
    empty: {
      title: "No recibes informes por correo",
      text: "Abre las estadísticas de la cuenta o de un enlace y elige “Enviar como informe”.",
    },
    link: "Un enlace",
    change: (name) => `Cambiar el informe: ${name}`,
    changed: (name) => `Informe cambiado: ${name}.`,
    stop: "Detener",
    stopped: (name) => `Informe detenido: ${name}`,
  },
};
