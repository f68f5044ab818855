import { formatCount, formatSize } from "../../lib/format.ts";
import type { refusals as english } from "../en/refusals.ts";
import { links, plural } from "./plural.ts";
import { resources } from "./resources.ts";

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Why a request was refused as a whole. */
export const refusals: typeof english = {
  // Anything
  not_found: ({ resource }) => `${upperFirst(resources[resource][0])} no existe, o ya no.`,
  of_another_account: ({ resource }) =>
    `${upperFirst(resources[resource][0])} es de otra cuenta. Cambia antes a esa cuenta.`,
  limit_reached: ({ resource, max }) =>
    `Ya hay ${formatCount(max)} ${resources[resource][1]}, que es el máximo. ${resources[resource][2] ?? "Quita antes algo."}`,
  too_many_running: ({ resource, max }) =>
    `Ya hay ${formatCount(max)} ${resources[resource][1]} en curso, que es el máximo. ${resources[resource][2] ?? "Espera a que termine algo."}`,
  changed_meanwhile: ({ resource }) =>
    `Otra solicitud acaba de cambiar ${resources[resource][0]}. No se hizo nada. Recarga la página e inténtalo de nuevo.`,
  changed_since_read: ({ resource }) =>
    `Otra persona ha cambiado ${resources[resource][0]} entretanto. Recarga la página y hazlo de nuevo.`,
  changed_since_job: "El enlace se cambió después de la tarea, así que en él no se deshizo nada.",
  access_changed: ({ resource }) =>
    `Tu acceso acaba de cambiar (${resources[resource][1]}). No se hizo nada. Recarga la página.`,
  exists: ({ resource, value }) =>
    `${upperFirst(resources[resource][0])} ya existe${value === undefined ? "" : `: ${value}`}.`,
  taken: ({ field, value }) => `En el campo “${field}”, ${value} ya está ocupado. Elige otro.`,
  wrong_state: ({ resource }) => `No es posible en el estado actual de ${resources[resource][0]}.`,
  decided_already: ({ resource }) => `Ya hay una decisión sobre ${resources[resource][0]}.`,

  // Too many calls: the wait follows
  too_many_attempts: "Hubo demasiados intentos incorrectos.",
  too_many_started: ({ resource, max }) =>
    `Se alcanzó el máximo de ${formatCount(max)} por hora (${resources[resource][1]}).`,
  too_many_uploads: ({ max }) => `Se alcanzó el máximo de archivos subidos por hora: ${formatCount(max)}.`,
  csv_is_being_written: "Se está escribiendo otro archivo CSV de esta cuenta. Solo se escribe uno a la vez.",
  too_many_viewers: "Demasiadas personas están viendo las páginas compartidas de esta cuenta.",
  too_many_invitations: "Esta dirección ha recibido varias invitaciones últimamente.",
  too_many_mails: "Este servicio envía demasiados correos en este momento. No se envió ninguno.",
  too_many_reset_links: ({ max }) =>
    `Esta persona ya tuvo ${formatCount(max)} enlaces así en la última hora, que es el máximo.`,
  too_many_own_mails: "Tu dirección recibió demasiados correos sobre estos cambios. No se cambió nada.",

  // What does not work at the moment
  dns_failed: ({ value }) =>
    `No se pudieron leer los registros DNS de ${value}. No se cambió nada. Comprueba los servidores de nombres del dominio e inténtalo de nuevo.`,
  free_plan_used_up:
    "El plan gratuito de Cloudflare no permite a este servicio hacer más hoy. Seguirá a las 00:00 UTC, o cuando su operador tenga el plan Workers Paid.",
  no_mail: "Este servicio aún no puede enviar correos. Su operador tiene que configurarlo.",
  unclaimed: "Esta instalación aún no tiene propietario. Su operador tiene que reclamarla primero.",
  no_base_url: "Aún nadie puede iniciar sesión en este servicio. Su operador tiene que configurarlo.",

  // Bodies and URLs
  body_too_large: ({ max }) => `Ocupa más de ${formatSize(max)}. Acórtalo o divídelo en partes.`,
  changes_too_large: ({ max }) => `Los cambios ocupan más de ${formatSize(max)}. Acórtalos.`,
  link_too_large: ({ max }) => `El enlace ocupa más de ${formatSize(max)}. Acorta sus textos y reglas.`,
  file_too_large: ({ max }) => `El archivo ocupa más de ${formatSize(max)}. Divídelo en varios archivos.`,
  cut_body: "Lo que enviaste no llegó completo. Inténtalo de nuevo.",
  cut_url: "Esta URL no está completa. Cópiala otra vez del correo.",

  // Links
  slug_used_again: ({ value }) =>
    `El slug ${value} se volvió a usar después de la eliminación, así que este enlace no se puede restaurar.`,
  no_free_slug: "No se encontró un slug libre. Inténtalo de nuevo.",
  aliases_of_domain:
    "El enlace tiene alias, que terminarían con su dominio. Quítalos también, o deja el dominio como está.",
  keeps_short_url:
    "Este enlace se creó sin cuenta, en un host para esos enlaces. Su dominio y su slug no se pueden cambiar.",
  not_a_link_id: "Este enlace no existe.",
  no_link_at_url: "En esta cuenta no hay ningún enlace con esta URL corta.",
  too_many_aliases: ({ max }) =>
    `El enlace ya tiene ${formatCount(max)} alias, que es el máximo, y este sería uno más. Quita antes uno.`,
  domain_refused: ({ value, suggestion }) =>
    `${value} no es un dominio verificado de esta cuenta. ${suggestion === undefined ? "Añádelo y verifícalo antes." : `Pon solo el nombre del host, como ${suggestion}.`}`,
  too_many_links: ({ max }) =>
    `La cuota de esta cuenta es de ${links(max)}. Elimina enlaces, o pide una cuota mayor al operador del servicio.`,
  too_many_link_bytes: ({ days }) =>
    `Los enlaces de esta cuenta ocupan más que su cuota. Acorta o elimina enlaces, o pide una cuota mayor al operador del servicio. Un enlace eliminado cuenta hasta su eliminación definitiva, ${days} días después.`,
  members_only: "Este servicio acorta URL solo para sus usuarios. Inicia sesión.",

  // Domains
  links_use_domain: ({ value }) => `Hay enlaces que aún usan ${value}. Elimínalos antes.`,
  links_being_deleted: ({ value }) =>
    `Los enlaces anteriores de ${value} se están eliminando todavía. Inténtalo de nuevo en un minuto.`,
  case_is_set: ({ value, days }) =>
    `La distinción de mayúsculas de ${value} no se puede cambiar, porque esta cuenta tiene enlaces allí, o enlaces eliminados que se pueden restaurar. Mueve antes los enlaces a otro dominio. Los enlaces eliminados dejan de contar a los ${days} días.`,
  case_of_deleted_links: ({ value, days }) =>
    `Esta cuenta tiene enlaces eliminados en ${value} que se pueden restaurar, así que la distinción de mayúsculas debe ser la de antes. Dejan de contar a los ${days} días.`,
  has_nested_slugs: ({ value, days }) =>
    `Las barras en los slugs siguen permitidas en ${value}, porque allí hay enlaces que las tienen en su slug o en uno anterior, o enlaces eliminados que se pueden restaurar y las tienen. Da otros slugs a los enlaces y quita esos slugs anteriores, o elimina los enlaces. Los enlaces eliminados dejan de contar a los ${days} días.`,
  verified_elsewhere: ({ value }) =>
    `Otra cuenta ha verificado ${value}. Verifícalo de nuevo cuando esa cuenta haya eliminado el dominio, o cuando su registro TXT haya faltado una semana.`,

  // Keys and webhooks
  expires_after_caller:
    "Una clave no puede crear ni ampliar una clave que caduque después que ella. Elige una caducidad anterior.",
  key_lacks_maker:
    "La persona detrás de esta clave ya no puede crear claves en esta cuenta. Tiene que crearla otro miembro.",
  key_of_caller:
    "La clave que llama es esta clave o se deriva de ella, y también se revocaría. No se revocó nada. Usa otra clave, o revoca las claves una por una.",
  key_revoked: "Esta clave se revocó, y eso es definitivo. Crea una nueva.",
  webhook_inactive: "Este webhook está desactivado. Actívalo antes.",
  click_delivered:
    "Este clic se entregó. Los eventos de los clics entregados no se guardan, así que no se puede enviar de nuevo.",
  delivery_dropped: "Esta entrega se descartó, porque había demasiadas en espera. Su evento no se guarda.",
  too_many_secrets: ({ max }) =>
    `Este webhook firma con ${plural(max, "secreto", "secretos")}, que es el máximo. Espera a que caduque el más antiguo.`,

  // Second factors
  team_needs_factor: "Este equipo requiere un segundo factor. Añade antes uno a tu inicio de sesión.",
  team_needs_proof: "Este equipo requiere un segundo factor. Confirma con el que tienes.",
  operators_need_factor: "Los operadores necesitan un segundo factor. Añade antes uno a tu inicio de sesión.",
  operators_need_proof: "Los operadores necesitan un segundo factor. Confirma con el que tienes.",
  own_factor_first:
    "Añade un segundo factor a tu propio inicio de sesión, o confirma con el que tienes, antes de exigirlo a los demás.",

  // Accounts, teams, persons
  not_a_member: "No eres miembro de esta cuenta.",
  account_disabled: "El operador de este servicio ha desactivado esta cuenta.",
  deletion_has_begun: "Los 7 días han pasado. La cuenta se está eliminando definitivamente.",
  only_owner: ({ value }) =>
    `Eres el único propietario de ${value}. Haz propietario a otro miembro, o elimina el equipo, y hazlo de nuevo.`,
  last_owner: "Un equipo necesita un propietario. Haz antes propietario a otro miembro. No se cambió nada.",
  role_too_low: "Con tu rol no puedes dar ni quitar este rol. Pídelo a un propietario del equipo.",
  role_not_lower:
    "Este servicio no envía correos, así que el enlace lo recibirías tú. Tu rol solo recibe enlaces para roles inferiores. Los demás los puede crear el operador del servicio.",
  has_more_access:
    "Esta persona puede hacer algo que tú no puedes, o no llegó con una invitación a este equipo. Solo el operador del servicio puede crear este enlace.",
  mail_works: "Este servicio envía correos. El miembro recibe uno con «¿Olvidaste tu contraseña?».",
  ends_own_access:
    "Lo que creaste en el equipo termina con tu rol. Para conservarlo, pide a otro miembro que haga el cambio.",
  is_member: "Una persona con este correo ya es miembro.",
  other_address: "Esta invitación es para otro correo. Inicia sesión con el correo que la recibió.",
  person_deleted: "La cuenta de esta persona está eliminada. Nombra a otro miembro.",
  sign_up_closed: "Nadie puede registrarse en este servicio. Pide una cuenta a su operador.",
  already_claimed: "Esta instalación ya tiene propietario. Inicia sesión.",
  has_account: "Este correo ya tiene una cuenta. Inicia sesión con él para unirte al equipo.",
  other_person: "Este cambio lo pidió otra persona. Inicia sesión como esa persona.",
  no_passkey: "No tienes una llave de acceso. Confirma con otra cosa que tengas, como un código.",
  no_factor:
    "Los códigos de recuperación son para personas con una app de autenticación o una llave de acceso. Añade antes una.",
  wrong_sign_in: "El correo o la contraseña no son correctos.",
  wrong_own_password: "La contraseña es incorrecta.",
  wrong_second_factor:
    "El código es incorrecto o ya se usó. Una app de autenticación muestra uno nuevo cada 30 segundos.",
  refused_passkey: "La llave de acceso no se aceptó: es desconocida, se quitó o no verificó a la persona.",
  dead_challenge: "Tardó demasiado, o ya se hizo. Empieza de nuevo.",
  invalid_passkey:
    "La respuesta del navegador para la nueva llave de acceso no es válida. Inténtalo de nuevo, o usa otro dispositivo.",

  // Exports and imports
  export_failed: "La exportación falló. Inicia una nueva.",
  job_not_allowed:
    "La cuenta se eliminó o se desactivó, o la persona o la clave de API que la inició ya no puede hacerlo.",
  job_given_up: "Una parte del servicio falló repetidamente. Inténtalo más tarde.",
  job_given_up_undoable: "Una parte del servicio falló repetidamente. Lo hecho hasta entonces se puede deshacer.",
  code_not_drawn: ({ value }) => `El código QR de ${value} no se puede dibujar. Elige otro estilo.`,
  export_too_large: ({ max }) =>
    `El archivo ocuparía más de ${formatSize(max)}. Exporta menos enlaces o un periodo más corto.`,
  too_many_matches: ({ max }) =>
    `El filtro abarca más de ${links(max)}, así que no se cambió nada. Acótalo, por ejemplo por la hora de creación.`,
  export_not_done: "La exportación todavía no ha terminado.",
  file_is_workbook:
    "El archivo es un libro de Excel o de un programa parecido. Guarda la hoja con los enlaces como CSV (en Excel, «CSV UTF-8») y súbela. El libro de estadísticas de Short.io no tiene enlaces: exporta allí los enlaces como CSV.",
  file_is_archive: "El archivo es un ZIP. Descomprímelo y sube el archivo CSV o JSON que contiene.",
  file_is_compressed: "El archivo está comprimido. Descomprímelo y sube el archivo CSV o JSON que contiene.",
  file_is_pdf:
    "El archivo es un PDF, del que no se pueden leer enlaces con seguridad. Exporta los enlaces como CSV o JSON en el servicio anterior y sube ese archivo.",
  file_is_web_page:
    "El archivo es una página web. Exporta los enlaces como CSV o JSON en el servicio anterior y sube ese archivo. Una tabla de una página web se puede guardar como CSV en una hoja de cálculo.",
  file_not_readable:
    "El archivo no está en UTF-8 ni en UTF-16. Guárdalo en UTF-8 (en Excel, «CSV UTF-8») y súbelo de nuevo.",
  file_not_whole: "El archivo no llegó completo. Súbelo de nuevo.",
  file_empty: "El archivo está vacío.",
  file_without_links: "El archivo no tiene enlaces.",
  file_of_imported: "Todos los enlaces de esta lista de errores se importaron.",
  file_without_header: "La primera línea del archivo debe nombrar sus columnas, como «url,slug,title».",
  file_too_long: ({ max }) => `El archivo tiene más de ${links(max)}. Divídelo en varios archivos.`,
  file_too_wide: ({ max }) => `El archivo tiene más de ${formatCount(max)} columnas o campos distintos.`,
  file_names_too_long: ({ max }) => `Los nombres de las columnas tienen más de ${formatCount(max)} bytes.`,
  file_row_too_long: ({ at, max }) =>
    `La fila que empieza en la línea ${at} tiene más de ${formatCount(max)} bytes. Busca en ella unas comillas sin cerrar.`,
  file_open_quote: ({ at }) =>
    `La fila que empieza en la línea ${at} tiene unas comillas sin cerrar. Puede que el archivo esté incompleto.`,
  file_object_too_long: ({ at, max }) => `El objeto ${at} del archivo tiene más de ${formatCount(max)} bytes.`,
  file_object_too_deep: ({ at, max }) => `El objeto ${at} del archivo tiene más de ${max} niveles de anidamiento.`,
  file_not_json: ({ at }) => `El archivo no es JSON válido. Su objeto ${at}, o lo que le sigue, no se puede leer.`,
  file_json_cut: ({ actual }) =>
    `El archivo termina en medio de su JSON; objetos completos antes: ${formatCount(actual)}.`,
  file_of_other_source: ({ value }) =>
    `No es una exportación de ${value}. Sube el archivo como el de otro servicio, o deja que el servicio lo reconozca.`,
  no_destination_column: "No se sabe qué columna del archivo tiene los destinos. Elígela antes.",

  // The console of operators
  screening_off: "La revisión está desactivada. Se activa en la configuración del servicio.",
  decide_with_reverse: "La retirada ya se anuló. Decide la apelación del mismo modo.",
  takedown_reversed: "La retirada ya se anuló.",
  nothing_to_take_down: "El enlace no tiene nada de este tipo que se pueda retirar.",
};
