import type { ReportTexts } from "./report-texts.ts";

export const texts: ReportTexts = {
  title: "Denunciar un enlace corto",
  intro:
    "Avise a quienes gestionan este servicio de un enlace corto que perjudica a otras personas. No necesita una cuenta.",
  url: "Enlace corto",
  reason: "¿Qué problema tiene?",
  choose: "Elija un motivo",
  reasons: {
    phishing: "Imita otro sitio para obtener contraseñas o dinero",
    malware: "Distribuye software dañino",
    spam: "Se envió como spam",
    child_abuse: "Muestra abusos sexuales a menores",
    illegal: "Es ilegal por otro motivo",
    other: "Otro problema",
  },
  details: "¿Qué ha visto? (opcional)",
  name: "Su nombre (opcional)",
  email: "Su correo electrónico, por si hay preguntas (opcional)",
  contact:
    "Solo quienes gestionan este servicio ven su denuncia. Se borra al cabo de un año. Las denuncias de abuso de menores se guardan sin nombre ni dirección.",
  goodFaith: "Según mi leal saber y entender, esta denuncia es veraz y completa.",
  submit: "Enviar denuncia",
  invalid: "La denuncia no se ha enviado. Corrija los campos siguientes.",
  errors: {
    missing: "Falta este dato.",
    too_long: "Este texto es demasiado largo.",
    no_link: "Aquí no hay ningún enlace corto con esta dirección. Cópielo tal como lo recibió.",
    no_email: "Esto no es una dirección de correo electrónico.",
    no_good_faith: "Confírmelo, por favor.",
  },
  failures: {
    rate_limited:
      "Han llegado demasiadas denuncias desde su red. No se ha enviado nada. Vuelva a intentarlo dentro de {wait}.",
    unavailable: "No se ha podido guardar la denuncia. Vuelva a enviarla dentro de un minuto.",
    cross_site: "El formulario se envió desde otra página. Si quiere enviar esta denuncia, envíela desde aquí.",
    full: "Hay demasiadas denuncias pendientes de una decisión, así que esta no se ha guardado. Vuelva a intentarlo mañana.",
    network_full:
      "Ya hay denuncias desde su red pendientes de una decisión, así que esta no se ha guardado. Vuelva a intentarlo mañana, o desde otra red.",
    payload_too_large: "El formulario era demasiado grande. No se ha enviado nada.",
  },
  receipt: {
    title: "Su denuncia",
    keep: "Guarde la dirección de esta página. Aquí verá la decisión.",
    sent: "Denunciado el {date}:",
    open: "Todavía no se ha tomado una decisión.",
    dismissed: "Decidido el {date}: se revisó el enlace y sigue como está.",
    taken_down: "Decidido el {date}: el enlace se ha bloqueado. Gracias.",
  },
  blocked: {
    title: "Este enlace ya está bloqueado",
    text: "Los visitantes no pueden seguirlo. Gracias por su denuncia.",
  },
  enough: {
    title: "Este enlace ya se ha denunciado",
    text: "La decisión está pendiente. No hace falta otra denuncia. Gracias.",
  },
  unknown: {
    title: "Esta denuncia no existe",
    text: "Compruebe que la dirección está completa. Las denuncias se borran un año después de enviarse.",
  },
};
