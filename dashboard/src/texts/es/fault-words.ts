import type { blockReasons as englishReasons, forms as englishForms } from "../en/fault-words.ts";

/** Why a page is blocked. */
export const blockReasons: typeof englishReasons = {
  phishing: "suplantación (phishing)",
  malware: "software dañino",
  spam: "correo basura",
  child_abuse: "abuso infantil",
  illegal: "contenido ilegal",
  legal_order: "una orden legal",
  shortener: "otro enlace corto",
  lookalike: "una dirección que se parece a la de otro sitio",
  policy: "las normas de este servicio",
};

/** The forms of what people write into the files of apps, after "must be". */
export const forms: typeof englishForms = {
  android_certificate:
    "el SHA-256 del certificado de la app: 32 pares de cifras y letras mayúsculas de la A a la F, separados por dos puntos",
  android_package: "el nombre del paquete de la app, como com.example.app",
  android_relation: "una relación, como delegate_permission/common.handle_all_urls",
  android_site: "un sitio sin ruta ni puerto, como https://www.example.com",
  android_statement: "una declaración con relation y target",
  android_statement_list: "la URL de otra lista de declaraciones",
  apple_app_id: "diez letras mayúsculas y cifras, un punto y el bundle id de la app, como ABCDE12345.com.example.app",
  apple_apps: "vacío; las apps van en details",
  apple_path: "una ruta que empiece por / o *, quizá después de NOT",
  apple_query: "un patrón, o un objeto con un patrón para cada parámetro",
  apple_variable: "un nombre sin $, ( ni )",
};
