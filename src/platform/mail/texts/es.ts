import type { LetterTexts, MailTexts } from "./en.ts";
import { openings } from "./es-openings.ts";

const IGNORE = "Si no lo pediste, no tienes que hacer nada.";
const NOT_YOU = "Si no fuiste tú, pon de inmediato una contraseña nueva y cierra las sesiones que no conozcas.";
const SET_PASSWORD = "Poner una contraseña nueva";
const NOT_ME = "No fui yo";
const ONCE_AN_HOUR = "Pon una contraseña nueva. El enlace funciona una vez, durante una hora.";
const UNDO_FACTOR =
  "Si no fuiste tú, abre el enlace. Quita los segundos factores y los códigos de recuperación que se añadieron desde entonces y cierra todas las sesiones, y la contraseña actual deja de valer. Recibirás otro correo para poner una nueva. El enlace funciona una vez, durante 7 días.";

const notice = (subject: string, ...paragraphs: string[]): LetterTexts => ({ subject, paragraphs });

/** What the mails say in Spanish. */
export const texts: MailTexts = {
  letters: {
    verify_email: {
      subject: "Verifica tu dirección",
      paragraphs: [
        "Alguien, probablemente tú, se registró con esta dirección.",
        "El enlace funciona una vez, durante 24 horas.",
        IGNORE,
      ],
      label: "Verificar la dirección",
    },
    account_exists: notice(
      "Ya tienes una cuenta",
      "Alguien, probablemente tú, se registró con esta dirección, que ya tiene una cuenta. No se cambió nada.",
      "Inicia sesión, o pon una contraseña nueva si la olvidaste.",
    ),
    reset_password: {
      subject: "Pon una contraseña nueva",
      paragraphs: [
        "Alguien, probablemente tú, quiere poner una contraseña nueva.",
        "El enlace funciona una vez, durante una hora.",
        IGNORE,
      ],
      label: SET_PASSWORD,
    },
    password_changed: notice("Tu contraseña se cambió", "La contraseña de tu cuenta se cambió.", NOT_YOU),
    confirm_email: {
      subject: "Confirma tu dirección nueva",
      paragraphs: [
        "Alguien, probablemente tú, quiere usar esta dirección para una cuenta.",
        "Abre el enlace en el navegador en el que has iniciado sesión. Funciona una vez, durante una hora.",
        IGNORE,
      ],
      label: "Confirmar la dirección",
    },
    email_in_use: notice(
      "Esta dirección ya tiene una cuenta",
      "Alguien, probablemente tú, quiere usar esta dirección para otra cuenta. No se cambió nada.",
    ),
    email_change_requested: {
      subject: "Tu dirección está a punto de cambiar",
      paragraphs: [
        "Alguien, probablemente tú, quiere usar otra dirección para tu cuenta.",
        "Si no fuiste tú, el enlace conserva esta dirección, cierra todas las sesiones y te permite poner una contraseña nueva. Funciona durante 7 días, también después del cambio.",
      ],
      label: "Conservar esta dirección",
    },
    email_changed: notice(
      "Tu dirección se cambió",
      "Tu cuenta tiene ahora otra dirección.",
      "Si no fuiste tú, usa el enlace del correo que anunció el cambio.",
    ),
    email_restored: {
      subject: "Tu dirección se restauró",
      paragraphs: [
        "Tu cuenta vuelve a tener esta dirección. Se cerraron todas las sesiones, y la contraseña anterior ya no vale.",
        ONCE_AN_HOUR,
      ],
      label: SET_PASSWORD,
    },
    first_totp_added: {
      subject: "Se añadió una app de autenticación",
      paragraphs: ["Para iniciar sesión en tu cuenta ahora hace falta un código de la app.", UNDO_FACTOR],
      label: NOT_ME,
    },
    first_passkey_added: {
      subject: "Se añadió una llave de acceso",
      paragraphs: [
        "Tu cuenta tiene una llave de acceso, con la que se puede iniciar sesión. Con la contraseña ahora también hace falta.",
        UNDO_FACTOR,
      ],
      label: NOT_ME,
    },
    totp_added: notice(
      "Se añadió una app de autenticación",
      "Tu cuenta tiene una app de autenticación, cuyos códigos son otro segundo factor.",
      NOT_YOU,
    ),
    totp_removed: notice("Se quitó la app de autenticación", "Sus códigos ya no valen para tu cuenta.", NOT_YOU),
    passkey_added: notice(
      "Se añadió una llave de acceso",
      "Tu cuenta tiene una llave de acceso nueva, con la que se puede iniciar sesión.",
      NOT_YOU,
    ),
    passkey_removed: notice("Se quitó una llave de acceso", "Una llave de acceso ya no vale para tu cuenta.", NOT_YOU),
    recovery_codes_replaced: {
      subject: "Tienes códigos de recuperación nuevos",
      paragraphs: [
        "Se crearon códigos de recuperación nuevos para tu cuenta. Los anteriores ya no valen.",
        UNDO_FACTOR,
      ],
      label: NOT_ME,
    },
    factors_undone: {
      subject: "Se quitaron los segundos factores nuevos",
      paragraphs: [
        "Los segundos factores y los códigos de recuperación que se añadieron hace poco a tu cuenta ya no valen. Se cerraron todas las sesiones, y la contraseña anterior ya no vale.",
        ONCE_AN_HOUR,
        "Después mira tus claves de API, tus webhooks y tus páginas compartidas: termina los que no sean tuyos.",
      ],
      label: SET_PASSWORD,
    },
    recovery_code_used: notice(
      "Se usó un código de recuperación",
      "Alguien, probablemente tú, inició sesión con un código de recuperación de tu cuenta. No vuelve a valer.",
      NOT_YOU,
    ),
    wrong_codes: notice(
      "Alguien tiene tu contraseña",
      "Alguien escribió la contraseña de tu cuenta y después varios códigos incorrectos. Nadie inició sesión.",
      "Si no fuiste tú, pon de inmediato una contraseña nueva: otra persona conoce la actual.",
    ),
    factors_reset: notice(
      "Se quitaron tus segundos factores",
      "El operador del servicio quitó la app de autenticación, las llaves de acceso y los códigos de recuperación de tu cuenta, cerró todas las sesiones y desconectó todas las apps.",
      "Si no lo pediste, pon de inmediato una contraseña nueva y díselo al operador.",
    ),
    reset_link_made: notice(
      "Un administrador creó un enlace para poner tu contraseña nueva",
      "Alguien con un rol superior en tu equipo creó un enlace con el que se puede cambiar tu contraseña, durante una hora.",
      "Si no lo pediste, pon de inmediato una contraseña nueva, lo que anula el enlace, y díselo al operador.",
    ),
    sign_in_link_made: notice(
      "El operador creó un enlace para iniciar sesión como tú",
      "El operador del servicio creó enlaces con los que alguien puede iniciar sesión como tú o poner una contraseña nueva, durante una hora. Los segundos factores se siguen pidiendo.",
      "Si no lo pediste, pon de inmediato una contraseña nueva, lo que anula los enlaces, y pregunta al operador.",
    ),
    app_connected: notice(
      "Se conectó una app",
      "Conectaste una app, que ahora puede actuar por ti en una cuenta.",
      "Si no fuiste tú, desconéctala en los ajustes, cierra las sesiones que no conozcas y pon una contraseña nueva.",
    ),
    app_disconnected: notice("Se desconectó una app", "Una app que conectaste ya no puede actuar por ti."),
    app_token_reused: notice(
      "Es posible que alguien haya copiado los tokens de una app",
      "Un código o token de una app que conectaste se volvió a usar. Puede que alguien tenga una copia, o que la app perdiera una respuesta. Por eso se desconectó la app, que ya no puede actuar por ti.",
      "Busca cambios que no conozcas; los propietarios y administradores de la cuenta los encuentran en el registro de auditoría. Vuelve a conectar la app solo si confías en el dispositivo o servicio en el que se ejecuta.",
    ),
    page_shared: notice(
      "Se compartió una página",
      "Compartiste una página con clics. Quien tenga su URL puede abrirla hasta que se elimine.",
      "Si no fuiste tú, pon una contraseña nueva en la configuración. Eso también cierra todas las demás sesiones y, si no eliges otra cosa, elimina las páginas que compartiste.",
    ),
    key_created: notice("Se creó una clave de API", "Creaste una clave de API.", NOT_YOU),
    key_revoked: notice("Se revocó una clave de API", "Revocaste una clave de API.", NOT_YOU),
    key_changed: notice("Se cambió una clave de API", "Cambiaste una clave de API.", NOT_YOU),
    export_started: notice(
      "Se inició una exportación",
      "Pediste un archivo con todos los datos de una cuenta. Los propietarios de la cuenta pueden descargarlo durante 7 días.",
      NOT_YOU,
    ),
    taken_down: notice(
      "Se retiró algo tuyo",
      "Lo decidió el operador del servicio. Los visitantes de los enlaces ven una página neutra. Tus datos se conservan.",
      "Si crees que es un error, inicia sesión y apela: en los ajustes de la cuenta, en Retiradas.",
    ),
    takedown_reversed: notice(
      "Se revocó una retirada",
      "Lo decidió el operador del servicio. Los enlaces vuelven a funcionar en un minuto.",
    ),
    appeal_decided: notice("Se decidió tu apelación", "Un operador del servicio la leyó y decidió."),
    reports_wait: notice(
      "Hay denuncias que esperan una decisión",
      "Visitantes denunciaron enlaces, o propietarios apelaron contra retiradas. Están en la página /app/admin.",
      "Hay como máximo un correo así por hora.",
    ),
    reports_fill: notice(
      "Las denuncias llenan la mitad de su espacio",
      "La mitad de las denuncias para las que hay espacio espera una decisión. Hasta que se decidan, otra solo se guarda si no espera ninguna más del mismo enlace ni de la misma red.",
      "Decídelas en la página /app/admin. Puedes desestimar muchas a la vez, y la retirada de una cuenta, un dominio o un host decide las denuncias de todos sus enlaces.",
      "Hay como máximo un correo así por hora.",
    ),
    links_screened: notice(
      "Hay enlaces tuyos bloqueados o que se muestran con un aviso",
      "Se decidió automáticamente, según listas y proveedores que eligió el operador del servicio. Los visitantes de un enlace bloqueado ven una página neutra. Los de los demás ven antes el destino y un aviso. La página de cada enlace lo dice.",
      "Un enlace al que se le da otro destino se vuelve a comprobar de inmediato. Si crees que es un error, responde a este correo con la URL corta: el operador puede permitir un host.",
      "Hay como máximo un correo así por hora, y uno al día que nombre el mismo host por el mismo motivo.",
    ),
    destinations_broken: notice(
      "Hay destinos de tus enlaces que no funcionan",
      "Una página falta, falla o no responde, y así fue en varias visitas. Los visitantes siguen llegando allí. La lista de enlaces de la página /app/links?destination=broken muestra todos esos enlaces: dales otro destino, o desactívalos.",
      "Hay como máximo un correo así al día. Un propietario puede desactivar estos correos en los ajustes de la cuenta, en General.",
    ),
    weekly_report: notice("Tu informe semanal de clics", "Pediste este informe como miembro de la cuenta."),
    monthly_report: notice("Tu informe mensual de clics", "Pediste este informe como miembro de la cuenta."),
    operator_added: notice(
      "Eres operador",
      "Ahora puedes retirar enlaces, cuentas y dominios del servicio, con un segundo factor. La página es /app/admin.",
      "Si no lo esperabas, díselo a quien lleva el servicio.",
    ),
    operator_removed: notice("Ya no eres operador", "Ya no puedes actuar por el servicio."),
    role_changed: notice("Tu rol se cambió", "Tienes otro rol en un equipo. Inicia sesión para verlo."),
    membership_ended: notice("Dejaste un equipo", "Ya no eres miembro de un equipo."),
    account_deleted: notice(
      "Tu cuenta está eliminada",
      "Eliminaste tu cuenta. Sus enlaces y claves de API han dejado de funcionar, y se cerraron todas las sesiones.",
      "En 7 días desaparece todo lo que contiene. Hasta entonces puedes iniciar sesión y restaurarla.",
      "Si no fuiste tú, inicia sesión, restaura la cuenta y pon de inmediato una contraseña nueva.",
    ),
    account_restored: notice("Tu cuenta está restaurada", "Tu cuenta está como antes de que la eliminaras.", NOT_YOU),
    team_deleted: notice(
      "Un equipo está eliminado",
      "Se eliminó un equipo del que eres propietario. Sus enlaces y claves de API han dejado de funcionar.",
      "En 7 días desaparece todo lo que contiene. Hasta entonces un propietario puede restaurarlo.",
    ),
    team_restored: notice(
      "Un equipo está restaurado",
      "Un equipo eliminado del que eres propietario vuelve a estar como antes.",
    ),
    invitation: {
      subject: "Tienes una invitación",
      paragraphs: [
        "El enlace abre la invitación. Después inicias sesión con esta dirección, o te registras con ella.",
        "Funciona una vez, durante 7 días.",
        "Si no la esperabas, no tienes que hacer nada.",
      ],
      label: "Abrir la invitación",
    },
  },
  ...openings,
};
