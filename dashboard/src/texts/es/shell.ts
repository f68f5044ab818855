import type { shell as english } from "../en/shell.ts";

export const shell: typeof english = {
  actFor: "Cambiar de cuenta",
  apiReference: "Referencia de la API",
  characterKeys: {
    label: "Atajos de una sola letra o signo",
    hint: "Sin ellos, teclas como C y ? no hacen nada por sí solas. Esta lista sigue en el menú de tu cuenta.",
  },
  confirmIdentity: {
    local: "No tienes contraseña. Este servicio funciona en tu equipo, así que basta con tu palabra.",
    noPassword:
      "Todavía no tienes contraseña. Con un correo puedes crear una. Después inicia sesión con ella y repite el cambio.",
    sendMail: "Enviar el correo",
    mailSent: (email) => `Hemos enviado un correo a ${email}.`,
    title: "¿Eres tú?",
    text: "Este cambio requiere una comprobación. Vale durante 10 minutos.",
    password: "Contraseña",
    code: "Código de tu app de autenticación",
    passkey: "Usar una llave de acceso",
    action: "Confirmar",
    noPasskeyHere:
      "Tus segundos factores son solo llaves de acceso, y este navegador no puede usarlas. Continúa en uno que sí pueda.",
    lostFactor:
      "¿Ya no lo tienes? Cierra la sesión e inicia otra con tu contraseña y un código de recuperación: durante 10 minutos vale como comprobación.",
  },
  createLink: "Crear enlace",
  factorNeeded: {
    title: (account) => `${account} requiere un segundo factor`,
    add: {
      text: "El propietario de este equipo exige un segundo factor a todos los miembros: un código de una app o una llave de acceso. Añade uno a tu inicio de sesión y el equipo se abre de inmediato. Tu propia cuenta funciona sin él.",
      action: "Añadir un segundo factor",
    },
    confirm: {
      text: "El propietario de este equipo exige un segundo factor a todos los miembros. Tienes uno, pero no lo has usado en este navegador desde que iniciaste sesión o cambiaste tus factores.",
      action: "Usar el segundo factor",
    },
    personal: "Ir a mi propia cuenta",
  },
  membershipEnded: {
    title: (account) => `Ya no eres miembro de ${account}`,
    text: "El equipo sigue sin ti, y tu propia cuenta no ha cambiado. Si es un error, pide a un propietario del equipo que te invite de nuevo.",
  },
  general: "General",
  keys: {
    timeline: "Con el foco en la línea de tiempo",
    select: "Seleccionar el enlace o quitar la selección",
    selectNext: "Seleccionar también el siguiente",
    selectPrevious: "Seleccionar también el anterior",
    paste: "Acortar la dirección copiada",
    next: "Momento siguiente",
    previous: "Momento anterior",
    selectAfter: "Seleccionar hasta el momento siguiente",
    selectBefore: "Seleccionar desde el momento anterior",
    first: "Primer momento",
    last: "Último momento",
    zoom: "Mostrar lo seleccionado",
    clear: "Quitar la selección",
  },
  navigation: "Principal",
  navigationGroup: "Ir a",
  notices: { title: "Qué ha pasado con tu cuenta", dismiss: "Descartar", security: "Revisar los ajustes de seguridad" },
  offline: "No tienes conexión. Puede que los datos no estén al día, y no se puede cambiar nada.",
  or: "o",
  pages: {
    admin: "Administración",
    analytics: "Estadísticas",
    links: "Enlaces",
    moving: "Importar y exportar",
    movingShort: "Importar",
    settings: "Ajustes",
  },
  palette: {
    deletedLinks: "Enlaces eliminados",
    empty: "No hay resultados.",
    open: "Buscar",
    placeholder: "Buscar enlaces, páginas y acciones",
    searching: "Buscando enlaces…",
    groups: { actions: "Acciones", links: "Enlaces", pages: "Páginas" },
  },
  passkeyErrors: {
    cancelled: "El navegador no entregó ninguna llave de acceso: se canceló o tardó demasiado. Inténtalo de nuevo.",
    known: "Este dispositivo ya tiene una llave de acceso para esta cuenta.",
    notHere:
      "Este navegador no puede usar llaves de acceso en esta dirección. Prueba con otro navegador o continúa sin ellas.",
  },
  personal: "Personal",
  shortcuts: "Atajos de teclado",
  signOut: "Cerrar sesión",
  skip: "Saltar al contenido",
  stillSignedIn: "Tu sesión sigue abierta",
  theme: { label: "Colores", system: "Sistema", light: "Claro", dark: "Oscuro" },
};
