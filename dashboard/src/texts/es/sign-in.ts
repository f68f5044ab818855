import { MAX_USER_PASSWORD_CHARS, MIN_USER_PASSWORD_CHARS } from "#src/identity/people/limits.ts";
import { MAX_MAILS_PER_KIND } from "#src/platform/mail/limits.ts";
import type { signIn as english } from "../en/sign-in.ts";

export const signIn: typeof english = {
  address: "Correo electrónico",
  addressMissing: "Escribe tu correo.",
  claim: {
    action: "Reclamar esta instalación",
    claimed: "Esta instalación ya tiene propietario",
    code: "Código de instalación",
    codeHint: "Lo mostró el despliegue. Si se perdió, este comando crea otro: npm run account -- setup-code --remote",
    codeMissing: "Escribe el código de instalación.",
    done: "Esta instalación es tuya",
    doneText: "Añade ahora una llave de acceso o una app de autenticación: la consola del operador la necesita.",
    host: (url: string) => `Mis enlaces cortos empezarán por ${url}`,
    hostHint:
      "Los enlaces impresos necesitan esta dirección para siempre, y las llaves de acceso solo funcionan aquí. Para usar otra dirección, despliega antes con --url.",
    hostMissing: "Confirma la dirección de tus enlaces cortos.",
    lead: "Quien tiene el código de instalación se convierte en propietario y operador. No hace falta correo.",
    title: "Esta instalación aún no tiene propietario",
  },
  claimed: (count) =>
    count === 1 ? "El enlace que acortaste antes ya es tuyo" : `${count} enlaces que acortaste antes ya son tuyos`,
  claimedText: (count) => (count === 1 ? "Ya no caduca." : "Ya no caducan."),
  claimRefused: "Los enlaces que acortaste antes se quedan de momento como están",
  checkingLink: "Comprobando el enlace",
  codeMissing: "Escribe el código.",
  deadLink: {
    title: "Este enlace ya no funciona",
    text: "Ya se usó, ha caducado o lo sustituyó un correo más reciente.",
  },
  ended: {
    title: "Tu sesión ha terminado. Inicia sesión para seguir donde estabas.",
    draft: "El borrador de tu enlace se conserva en este navegador.",
  },
  missingToken: {
    title: "Abre el enlace del correo",
    text: "Esta página necesita el enlace que va en el correo. Si la recargaste, vuelve a abrir el enlace del correo.",
  },
  forApp: "Una app espera tu respuesta. A continuación verás qué pide.",
  forgot: {
    action: "Enviar el enlace",
    back: "Volver a iniciar sesión",
    lead: "Escribe tu correo y te enviamos un enlace para elegir una contraseña nueva.",
    link: "¿Olvidaste tu contraseña?",
    noMail:
      "Este servicio no envía correos. Pide a un propietario o administrador de tu equipo un enlace para poner una contraseña nueva. Si tú eres propietario, pídelo al operador del servicio.",
    sentTitle: "Mira tu correo",
    sent: (email) =>
      `Si ${email} tiene una cuenta, en un momento recibirá un correo con un enlace. El enlace funciona durante una hora.`,
    title: "Elegir una contraseña nueva",
  },
  name: "Tu nombre",
  nameMissing: "Escribe tu nombre.",
  newPassword: {
    label: "Contraseña nueva",
    checked: "Tampoco se aceptan contraseñas de filtraciones conocidas de otros servicios.",
    common: "No es una contraseña común",
    length: (length) =>
      length === 0
        ? `De ${MIN_USER_PASSWORD_CHARS} a ${MAX_USER_PASSWORD_CHARS} caracteres, por ejemplo unas cuantas palabras`
        : `De ${MIN_USER_PASSWORD_CHARS} a ${MAX_USER_PASSWORD_CHARS} caracteres (ahora ${length})`,
    met: "se cumple",
    notMet: "no se cumple",
    own: "No se forma con tu nombre, tu correo ni palabras de este servicio",
  },
  noMail:
    "Este servicio no envía correos, así que necesitas el enlace de una invitación. Pídelo a un propietario o administrador de un equipo, o al operador del servicio.",
  noSignIn:
    "Todavía no se puede iniciar sesión aquí: el servicio no conoce su propia dirección. Su operador debe definir BASE_URL.",
  or: "o",
  outbox: {
    action: "Abrir el enlace del correo",
    title: "Este servicio se ejecuta en tu computadora y no envía correos",
    text: (subject) => `Habría enviado “${subject}”.`,
  },
  password: "Contraseña",
  passwordMissing: "Escribe tu contraseña.",
  passkey: "Entrar con una llave de acceso",
  resent: "Hay un correo nuevo en camino. El enlace del anterior ya no funciona.",
  reset: {
    action: "Guardar la contraseña",
    another: "Enviar otro enlace",
    done: "Tu contraseña está cambiada",
    doneText: "Se han cerrado todas las sesiones. Inicia sesión con la contraseña nueva.",
    lead: "En todos los navegadores con la sesión abierta habrá que iniciarla de nuevo.",
    title: "Elige una contraseña nueva",
  },
  restore: {
    action: "Restaurar mi cuenta",
    done: "Tu cuenta está de vuelta",
    lead: "La eliminaste hace menos de 7 días. Si la restauras ahora, tus enlaces, claves y equipos vuelven como estaban.",
    leave: "Cerrar sesión y dejar que se elimine",
    title: "Esta cuenta está eliminada",
  },
  second: {
    again: "Pasaron más de cinco minutos. Escribe tu contraseña de nuevo.",
    back: "Usar otra cuenta",
    code: "Código de tu app de autenticación",
    codeHint: "Seis cifras que cambian cada 30 segundos.",
    lead: "Tu contraseña es correcta. Ahora demuestra que eres tú.",
    passkey: "Usar una llave de acceso",
    recovery: "Código de recuperación",
    recoveryHint: "Uno de los códigos que guardaste al activar esto. Cada uno sirve una vez.",
    recoveryUsed: "Iniciaste sesión con un código de recuperación",
    recoveryUsedText:
      "Ya no sirve más. Si perdiste la app o una llave de acceso, sustitúyela en los próximos 10 minutos.",
    settings: "Ajustes de seguridad",
    title: "Segundo paso",
    toCode: "Usar un código de la app",
    toRecovery: "No tengo nada de esto: usar un código de recuperación",
  },
  signedInAs: (email) => `Has iniciado sesión como ${email}.`,
  goOn: "Continuar",
  signIn: {
    action: "Iniciar sesión",
    newHere: "¿Es tu primera vez?",
    title: "Iniciar sesión",
  },
  linkSignIn: { title: "Iniciando sesión", text: "Se está comprobando el enlace del terminal." },
  signUp: {
    action: "Crear cuenta",
    check: {
      other: "Usar otro correo",
      resend: "Enviarlo de nuevo",
      resendHint: `¿No llega nada en unos minutos? Mira en la carpeta de spam o pide que se envíe otra vez: como máximo ${MAX_MAILS_PER_KIND} veces por hora.`,
      text: (email) =>
        `Hemos enviado un enlace a ${email}. Ábrelo en este navegador y listo. Funciona durante 24 horas.`,
      title: "Mira tu correo",
    },
    closed: "Aquí nadie puede crear una cuenta: todas las crea el operador de este servicio.",
    domains: "Aquí solo pueden crear una cuenta los correos de ciertas organizaciones y quienes tengan una invitación.",
    has: "¿Ya tienes una cuenta?",
    invited: "Aquí solo pueden crear una cuenta quienes tengan una invitación. Usa el correo que la recibió.",
    lead: "Tu primer enlace corto está a un minuto.",
    link: "Crear una cuenta",
    title: "Crea tu cuenta",
  },
  verify: {
    action: "Verificar e iniciar sesión",
    elsewhere: "Creaste la cuenta en otro navegador. Elige aquí la contraseña, para que sepamos que es tuya.",
    pending: "Verificando tu correo",
    title: "Verifica tu correo",
  },
  confirmEmail: {
    done: "Tu correo está cambiado",
    pending: "Cambiando tu correo",
    settings: "Ir a mi correo",
    signIn: "Iniciar sesión para continuar",
    signedOut: "Inicia sesión con tu correo actual para confirmar el nuevo.",
    title: "Confirma tu correo nuevo",
    wrong: "Este cambio lo pidió otra persona. Inicia sesión como esa persona.",
  },
  undoEmail: {
    action: "Conservar mi correo",
    done: "Tu correo está de vuelta",
    doneText:
      "Se han cerrado todas las sesiones. Hemos enviado a esta dirección un correo con un enlace para elegir una contraseña nueva.",
    lead: "Alguien quiere cambiar el correo de tu cuenta, o ya lo ha cambiado. Si no fuiste tú, conserva este: se cierran todas las sesiones, la contraseña actual deja de funcionar y recibes un correo para elegir una nueva.",
    leave: "Fui yo: no cambiar nada",
    title: "¿Conservar tu correo?",
  },
  undoFactor: {
    action: "Quitarlos",
    done: "Los segundos factores están quitados",
    doneText:
      "Se han cerrado todas las sesiones. Hemos enviado a esta dirección un correo con un enlace para elegir una contraseña nueva.",
    lead: "Alguien añadió un segundo factor a tu cuenta o generó nuevos códigos de recuperación. Si no fuiste tú, quítalos. Se quita todo lo que se añadió desde entonces, se cierran todas las sesiones, tu contraseña deja de funcionar y recibes un correo para elegir una nueva.",
    leave: "Fui yo: no cambiar nada",
    title: "¿Quitar lo que se añadió?",
  },
  invitation: {
    accept: "Unirme al equipo",
    accepted: (team) => `Eres miembro de ${team}`,
    decline: "Rechazar",
    declined: "La invitación está rechazada",
    declinedText: "Solo pueden verlo los propietarios y admins del equipo.",
    anyTitle: "Unirse a un equipo",
    hasAccount: "Este correo ya tiene una cuenta.",
    lead: (inviter, team, role) => `${inviter} te invita a ${team} con el rol ${role}.`,
    meaning:
      "Los miembros de un equipo comparten enlaces, dominios y estadísticas. En tu propia cuenta no cambia nada.",
    operator: "El operador de este servicio",
    signedOut: (email) => `Inicia sesión como ${email} o crea una cuenta con este correo.`,
    signUp: "Crear cuenta y unirme",
    signUpLead: "La invitación ya demuestra que el correo es tuyo, así que entras de inmediato.",
    signIn: "Iniciar sesión",
    switch: "Iniciar sesión con otro correo",
    title: (team) => `Únete a ${team}`,
    wrongAddress: (email) =>
      `Esta invitación es para otro correo, no para ${email}. Inicia sesión con el correo que la recibió o pide al equipo que invite a ${email}.`,
  },
};
