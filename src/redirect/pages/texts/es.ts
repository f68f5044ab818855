import type { PageTexts } from "./page-texts.ts";

export const texts: PageTexts = {
  errors: {
    not_found: {
      title: "Este enlace no existe",
      text: "Compruebe que la dirección se copió completa y se escribió tal como está impresa.",
    },
    not_started: {
      title: "Este enlace aún no está activo",
      text: "Su propietario ha fijado desde cuándo funciona. Inténtelo más tarde.",
    },
    gone: {
      title: "Este enlace ha terminado",
      text: "Su propietario lo ha terminado, o se creó para un tiempo o un número de visitas limitado. Pida uno nuevo a la persona que lo compartió.",
    },
    blocked: {
      title: "Este enlace está bloqueado",
      text: "Lleva a algo que este servicio no permite. Si es suyo, inicie sesión para ver el motivo.",
    },
    blocked_by_law: { title: "Este enlace no está disponible", text: "Se bloqueó por una orden legal." },
    method_not_allowed: {
      title: "Este método no está permitido",
      text: "Los enlaces cortos se abren con GET o HEAD.",
    },
    internal: {
      title: "Algo ha fallado aquí",
      text: "El error es nuestro, no del enlace. Vuelva a intentarlo.",
    },
    unavailable: {
      title: "Este enlace no se puede consultar en este momento",
      text: "El enlace no se ha perdido. Vuelva a intentarlo dentro de unos segundos.",
    },
    password_required: {
      title: "Este enlace está protegido con contraseña",
      text: "Escriba aquí la contraseña. Se la da la persona que compartió el enlace.",
    },
    wrong_password: {
      title: "Esa no es la contraseña",
      text: "Compruébela, también las mayúsculas y minúsculas, y vuelva a intentarlo.",
    },
    rate_limited: { title: "Demasiados intentos", text: "Vuelva a intentarlo dentro de {wait}." },
    too_many_unknown: {
      title: "Demasiados enlaces desconocidos",
      text: "Desde su red se han pedido demasiados enlaces que no existen. Vuelva a intentarlo dentro de {wait}.",
    },
    no_password: { title: "Este enlace no tiene contraseña", text: "Solo acepta solicitudes GET y HEAD." },
    unsupported_media_type: {
      title: "Este tipo de contenido no se admite",
      text: "Envíe el campo password como application/x-www-form-urlencoded.",
    },
    invalid_request: { title: "El formulario no llegó completo", text: "Envíelo de nuevo." },
    payload_too_large: {
      title: "Es demasiado largo para una contraseña",
      text: "El formulario puede tener como máximo {bytes} bytes.",
    },
  },
  retrying: "Esta página vuelve a intentarlo por sí sola.",
  root: {
    title: "Enlaces cortos",
    text: "Este dominio es para enlaces cortos. Abra el enlace completo que ha recibido.",
  },
  ownVisits: {
    title: "Visitas con este navegador",
    counted: "Las visitas a enlaces cortos de {host} con este navegador se cuentan.",
    uncounted:
      "Las visitas a enlaces cortos de {host} con este navegador no se cuentan. Una cookie guarda esta elección hasta 400 días.",
    leaveOut: "No contarlas",
    count: "Contarlas",
  },
  password: { label: "Contraseña", submit: "Continuar", back: "Volver al enlace" },
  report: "Denunciar un abuso",
  app: {
    title: "Este enlace abre una aplicación",
    text: "También puede seguirlo en el navegador.",
    open: "Abrir en la aplicación",
    stay: "Continuar en el navegador",
  },
  destination: {
    title: "Adónde lleva este enlace",
    hidden: "Su destino solo se muestra a los visitantes que tienen la contraseña.",
    app: "En este dispositivo prueba primero una aplicación:",
    ended: "Su propietario envía ahora allí a los visitantes.",
    varies: "Otros visitantes pueden llegar a otro sitio, por ejemplo según el país o el dispositivo.",
    follow: "Continuar",
    unicode: "En su propia escritura, {name} es {unicode}.",
  },
  verdict: {
    title: "Cuidado con este enlace",
    pending: "Nadie ha comprobado todavía adónde lleva este enlace. Mire la dirección antes de continuar.",
    phishing: "Es posible que la página imite a otra para obtener contraseñas o números de tarjeta.",
    malware: "Es posible que la página instale programas dañinos.",
    spam: "El enlace fue denunciado como correo no deseado.",
    lookalike: "La dirección se parece a la de otro sitio. Léala letra por letra.",
    shortener: "Es otro enlace corto, así que aquí no se ve dónde termina.",
    other: "Es posible que la página incumpla las normas de este servicio.",
    advisory: "Aviso proporcionado por Google",
    uncertain: "Una advertencia puede ser errónea, y algunas páginas dañinas no tienen ninguna.",
  },
};
