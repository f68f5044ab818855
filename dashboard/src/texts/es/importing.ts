import { formatCount } from "../../lib/format.ts";
import type { importing as english } from "../en/importing.ts";
import { links, plural } from "./plural.ts";
import { importProblems } from "./import-problems.ts";

export const importing: typeof english = {
  source: {
    label: "¿De dónde vienen tus enlaces?",
    auto: "Detectar automáticamente",
    csv: "Otro archivo",
    guide: "Cómo obtener el archivo",
    missing: (what) => `No está en el archivo: ${what}.`,
  },
  guides: {
    auto: {
      steps: [
        "Exporta tus enlaces en el otro servicio, como CSV o JSON.",
        "Elige el archivo. Sus columnas indican de dónde viene.",
      ],
      note: "Elige el servicio si quieres saber dónde está la exportación.",
    },
    bitly: {
      steps: [
        "Exporta tus enlaces en Bitly como CSV.",
        "Conserva todas las columnas: el back-half personalizado pasa a ser el slug, y el Bitlink, un alias.",
      ],
      missing: "etiquetas y caducidad",
      note: "Bitly distingue /abc de /ABC. Si traes tu propio dominio, añádelo antes de importar de modo que distinga mayúsculas.",
    },
    dub: {
      steps: ["Exporta tus enlaces en Dub como CSV.", "Sirve cualquier selección de columnas."],
      missing: "destinos por país y dispositivo",
      note: undefined,
    },
    shlink: {
      steps: [
        "Exporta las URL cortas en el cliente web de Shlink.",
        "También sirve un archivo creado para el importador propio de Shlink.",
      ],
      missing: "reglas",
      note: "Shlink distingue /abc de /ABC. Si traes tu propio dominio, añádelo antes de importar de modo que distinga mayúsculas.",
    },
    kutt: {
      steps: [
        "Llama a GET /api/v2/links de tu Kutt con tu clave de API de allí.",
        "Guarda la respuesta como archivo JSON.",
      ],
      missing: undefined,
      note: undefined,
    },
    redirection: {
      steps: [
        "Exporta las redirecciones en la página Importar/Exportar del plugin Redirection, como CSV.",
        "Las redirecciones cuyo origen es una expresión regular se omiten.",
      ],
      missing: undefined,
      note: undefined,
    },
    yourls: {
      steps: [
        "Exporta los enlaces con el plugin de exportación de YOURLS.",
        "O exporta la tabla de enlaces de su base de datos como CSV.",
      ],
      missing: undefined,
      note: undefined,
    },
    shortio: {
      steps: [
        "Exporta tus enlaces en Short.io como CSV.",
        "Toma la lista de enlaces: el libro de estadísticas no tiene enlaces y se rechaza.",
      ],
      missing: undefined,
      note: undefined,
    },
    rebrandly: { steps: ["Exporta tus enlaces en Rebrandly como CSV."], missing: undefined, note: undefined },
    sink: {
      steps: ["Exporta los enlaces en el panel de Sink. Da un archivo JSON."],
      missing: undefined,
      note: undefined,
    },
    tern: {
      steps: ["Exporta los enlaces como CSV o JSON en la página Exportar del otro Tern."],
      missing: "clics y contraseñas",
      note: undefined,
    },
    csv: {
      steps: [
        "Guarda cualquier tabla con una columna de destinos como CSV, en Excel también como “Texto Unicode”, o una lista de objetos como JSON.",
        "La primera línea da nombre a las columnas. En el paso siguiente eliges qué es cada una.",
      ],
      missing: undefined,
      note: undefined,
    },
  },
  drop: {
    label: "Archivo con enlaces",
    title: "Suelta el archivo aquí",
    choose: "Elegir un archivo",
    limits: (megabytes, rows) =>
      `CSV o JSON en UTF-8 o UTF-16, hasta ${megabytes} y ${links(rows)}. Lo ves todo antes de importarlo.`,
    tooLarge: (name, size, most) =>
      `${name} ocupa ${size}; un archivo puede ocupar ${most}. Divídelo en varios archivos.`,
    empty: (name) => `${name} está vacío. Expórtalo otra vez y elige el archivo nuevo.`,
    several: "Solo un archivo a la vez. Suelta los demás después de este.",
  },
  upload: {
    sending: (name) => `Subiendo ${name}`,
    storing: "Subido. El servicio está guardando el archivo.",
    sent: (done, total) => `${done} de ${total}`,
    cancel: "Cancelar la subida",
    failed: (name) => `${name} no se subió.`,
    other: "Elegir otro archivo",
    limited: (perHour, time) =>
      `La cuenta ha subido ${perHour} archivos en la última hora, que es el máximo. El próximo se puede subir a las ${time}.`,
  },
  list: {
    title: "Importaciones",
    empty: "Las importaciones aparecen aquí durante 7 días después de terminar.",
    rows: links,
  },
  back: "Todas las importaciones",
  missing: {
    title: "Esta importación no existe",
    text: "Las importaciones se eliminan 7 días después de terminar y pertenecen a una cuenta.",
  },
  reading: "Leyendo el archivo",
  readingLead: "Todavía no se importa nada. Puedes salir de esta página; la importación se queda en la lista.",
  running: "Importando",
  runningLead: "Puedes salir de esta página; la importación continúa.",
  undoing: "Eliminando los enlaces importados",
  paused: "En pausa",
  preview: {
    lead: (rows) => `${links(rows)} en el archivo. Todavía no se importa nada.`,
    about: (created, skipped, failed) => {
      const total = created + skipped + failed;
      if (created < total)
        return `Se importarán unos ${formatCount(created)} de ${links(total)}; ${formatCount(skipped)} se omiten y ${formatCount(failed)} se rechazan.`;
      return total === 1 ? "Se importará el único enlace." : `Se importarán los ${links(total)}.`;
    },
    checking: "Comprobando las filas otra vez",
    saving: "Guardando lo que elegiste",
    limited: (seconds) =>
      `Cambiaste mucho de una vez. El resto se guarda en ${plural(seconds, "segundo", "segundos")}; no se pierde nada.`,
    notSaved: "Lo que elegiste todavía no se ha guardado.",
    start: "Iniciar importación",
    needsUrl: "Elige antes la columna que contiene los destinos.",
  },
  problems: {
    title: "Qué debes saber antes de empezar",
    none: "Todas las filas se pueden importar tal como están.",
    lead: "Después de importar, un archivo CSV nombra cada una de estas filas. Corrígelo e impórtalo otra vez.",
    rows: (count) => plural(count, "fila", "filas"),
    first: (line, count) =>
      count === 1 ? `línea ${formatCount(line)}` : `la primera en la línea ${formatCount(line)}`,
    effects: {
      out: "No se importan",
      skipped: "Se omiten",
      renamed: "Cambian de nombre",
      disabled: "Se importan desactivados",
      moved: "Reciben tu dominio",
      changed: "Se importan con un cambio",
      created: "Se crean",
    },
    kinds: importProblems,
  },
  choices: {
    title: "Cómo importar",
    taken: "El slug está ocupado",
    takenOptions: { skip: "Omitir", rename: "Cambiar de nombre" },
    takenHint: "Los enlaces que cambian de nombre reciben slugs como sale-2.",
    dead: "El enlace se eliminó o bloqueó allí",
    deadOptions: { skip: "Omitir", disable: "Importar desactivado" },
    deadHint: "Los enlaces desactivados no redirigen hasta que los actives.",
    events: "Enviar el evento link.create por cada enlace",
    eventsHint: "Solo si un webhook debe enterarse de cada enlace importado.",
    redirect: (status) =>
      `Los enlaces sin código de redirección propio reciben ${status}, el predeterminado de la cuenta cuando se subió el archivo.`,
    redirectService:
      "Los enlaces sin código de redirección propio reciben el del servicio. Para cambiarlo, elige un valor predeterminado para los enlaces nuevos antes de subir el archivo.",
    settings: "Valores predeterminados de los enlaces nuevos",
  },
  hosts: {
    title: "Dominios",
    lead: "Adónde van los enlaces de cada dominio antiguo. Tus propios dominios verificados conservan los suyos.",
    targetFor: (host) => `Dominio para ${host}`,
    default: (domain) => (domain === null ? "Dominio predeterminado" : `Dominio predeterminado (${domain})`),
    own: "Se queda",
    skip: "Omitir estos enlaces",
    add: "Añadir un dominio",
    addHint: "¿Alguno es tuyo? Añádelo y verifícalo antes, y las URL cortas impresas seguirán funcionando.",
  },
  mapping: {
    title: "Columnas",
    lead: "Qué es cada columna del archivo. Dos columnas no pueden ser lo mismo.",
    column: "Columna",
    sample: "Primeras filas",
    field: "Se importa como",
    fieldOf: (column) => `Campo para ${column}`,
    none: "No se importa",
    groups: { main: "Más usados", lifetime: "Duración", targets: "Destinos y vista previa", other: "Otros" },
    fields: {
      url: "Destino",
      shortUrl: "URL corta",
      slug: "Slug",
      domain: "Dominio",
      aliasUrl: "Otra URL corta",
      aliases: "Otros slugs",
      title: "Título",
      tags: "Etiquetas",
      createdAt: "Hora de creación",
      importedClicks: "Número de clics",
      startsAt: "Inicio",
      expiresAt: "Final",
      expiredUrl: "Destino después del final",
      maxClicks: "Máximo de clics",
      archived: "Archivado (sí o no)",
      disabled: "Desactivado (sí o no)",
      status: "Estado en palabras",
      dead: "Eliminado o bloqueado (sí o no)",
      pattern: "El slug es un patrón (sí o no)",
      password: "Tiene contraseña",
      ios: "Destino en iPhone y iPad",
      android: "Destino en Android",
      geo: "Destinos por país (JSON)",
      rules: "Reglas (JSON)",
      preview: "Vista previa (JSON)",
      previewTitle: "Título de la vista previa",
      previewDescription: "Texto de la vista previa",
      previewImage: "Imagen de la vista previa",
      redirectStatus: "Código de redirección",
      passParameters: "Pasar los parámetros de los visitantes (sí o no)",
      externalId: "Tu propio id",
    },
  },
  result: {
    done: (count) => plural(count, "enlace importado", "enlaces importados"),
    none: "No se importó ningún enlace",
    undone: (count) => plural(count, "enlace eliminado de nuevo", "enlaces eliminados de nuevo"),
    undoneLead: "Puedes restaurarlos durante 7 días, en la lista de enlaces.",
    cancelled: "La importación se canceló.",
    discarded: "La importación se descartó. No se importó nada.",
    failed: "La importación falló.",
    failedHint: "Corrige el archivo y súbelo otra vez.",
    failures: "Algunas filas no se importaron, o no tal como estaban. Corrige la lista e impórtala otra vez.",
    toLinks: "Mostrar los enlaces",
    again: "Importar otro archivo",
  },
};
