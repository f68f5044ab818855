import type { importProblems as english } from "../en/import-problems.ts";

export const importProblems: typeof english = {
  invalid_url: "El destino no es una dirección web.",
  invalid_slug: "El slug tiene caracteres que los enlaces no pueden tener, o demasiados.",
  invalid: "Otro valor no se puede importar.",
  taken: "El slug está ocupado o reservado.",
  repeated: "Una fila anterior tiene el mismo slug.",
  differs_in_case: "El slug de una fila anterior solo se diferencia en mayúsculas y minúsculas.",
  foreign_domain: "La URL corta está en un dominio que no es tuyo.",
  new_tag: "La etiqueta es nueva y se creará.",
  password: "La contraseña no se puede traer. Elige una nueva después de importar.",
  dead: "El servicio anterior ha eliminado o bloqueado el enlace.",
  alias: "Otro slug del enlace no puede ser su alias.",
  shortened: "Un texto es demasiado largo; se corta el final.",
  unreadable_time: "No se puede leer la hora de creación; el enlace recibe la de la importación.",
  unreadable_clicks: "No se puede leer el número de clics; el enlace recibe 0.",
  unknown_status: "No se conoce la palabra del estado; el enlace se importa como activo.",
  unknown_word: "Una columna de sí y no tiene otra palabra. Escribe true o false.",
  taken_in: "Unas comillas sin cerrar abarcan las filas siguientes.",
  repeated_key: "Un objeto JSON tiene un nombre más de una vez. Escribe cada nombre una sola vez.",
  pattern: "El slug es un patrón de muchas URL cortas.",
  unused_slugs: "Una columna parece tener slugs y no se importa. Elige «Slug» para ella abajo si lo son.",
};
