import { formatCount } from "../../lib/format.ts";
import type { fieldFaults as english } from "../en/field-faults.ts";
import { plural } from "./plural.ts";
import { blockReasons, forms } from "./fault-words.ts";
import { resources } from "./resources.ts";

const characters = (count: number) => plural(count, "carácter", "caracteres");
const items = (count: number) => plural(count, "elemento", "elementos");

/** In brackets, if it has a word here. */
const inBrackets = (words: Readonly<Partial<Record<string, string>>>, word: string) =>
  words[word] === undefined ? "" : ` (${words[word]})`;

/** What is wrong with a field, after its name. */
export const fieldFaults: typeof english = {
  // Presence, types, sizes
  required: "es obligatorio",
  required_without: ({ field }) => `es obligatorio sin «${field}»`,
  repeated: "está más de una vez en la lista",
  not_together: ({ field }) => `no se puede usar junto con «${field}»`,
  needs: ({ field }) => `necesita también «${field}»`,
  differs: ({ field }) => `debe coincidir con «${field}»`,
  invalid: "no es válido",
  wrong_form: ({ expected }) => (forms[expected] === undefined ? "no es válido" : `debe ser ${forms[expected]}`),
  empty: "no puede estar vacío",
  too_short: ({ min }) => `debe tener al menos ${characters(min)}`,
  too_long: ({ max }) => `puede tener como máximo ${characters(max)}`,
  too_long_encoded: ({ max }) => `puede tener como máximo ${characters(max)}, incluida la codificación con %`,
  wrong_length: ({ min, max }) => `debe tener de ${formatCount(min)} a ${characters(max)}`,
  too_few: ({ min }) => `debe tener al menos ${items(min)}`,
  too_many: ({ max }) => `puede tener como máximo ${items(max)}`,
  too_many_bytes: ({ max, actual }) =>
    `puede tener como máximo ${formatCount(max)} bytes${actual === undefined ? "" : `; ahora tiene ${formatCount(actual)}`}`,
  too_small: ({ min }) => `debe ser como mínimo ${formatCount(min)}`,
  too_large: ({ max }) => `debe ser como máximo ${formatCount(max)}`,
  not_more_than: ({ min }) => `debe ser mayor que ${formatCount(min)}`,
  out_of_range: ({ min, max }) => `debe estar entre ${formatCount(min)} y ${formatCount(max)}`,
  not_whole: "debe ser un número entero",
  not_one_of: ({ allowed }) => `debe ser uno de estos: ${allowed.join(", ")}`,
  unreadable: "no puede contener saltos de línea ni caracteres ilegibles",
  unreadable_character: ({ value, at }) =>
    `no puede contener caracteres ilegibles${value === undefined ? "" : `; quita ${value}, que es el carácter número ${at}`}`,
  has_spaces: "no puede contener espacios, saltos de línea ni caracteres ilegibles",
  has_spaces_or_backslashes: "no puede contener espacios, barras invertidas, saltos de línea ni caracteres ilegibles",

  // Things, times, periods
  unknown: ({ resource, value }) =>
    `debe existir en la cuenta (${resources[resource][1]})${value === undefined ? "" : `; ${value} no existe`}`,
  not_a_time: "debe ser una hora que exista, de 1970 a 9999",
  not_milliseconds: "debe ser posterior a 2001",
  in_the_past: "debe estar en el futuro",
  in_the_future: "no puede estar en el futuro",
  not_after: ({ field }) => `debe ser posterior a «${field}»`,
  not_before: ({ field }) => `debe ser anterior a «${field}»`,
  before_creation: "debe ser posterior a la creación",
  period_too_long: ({ max }) => `puede estar como máximo ${max} años antes del final`,
  period_too_full: ({ max, resource }) =>
    `debe ser posterior: este periodo tiene más de ${formatCount(max)} ${resources[resource][1]}`,
  too_many_buckets: ({ max }) => `debe ser mayor: el periodo tiene más de ${formatCount(max)} de estos pasos`,
  no_period_before: "no es posible, porque antes de este periodo no hay otro",
  not_a_time_zone: "debe ser el nombre de una zona horaria, como Europe/Berlin",
  too_many_selected: ({ max, resource }) =>
    `abarca más de ${formatCount(max)} ${resources[resource][1]}; selecciona menos`,
  too_many_left_out: ({ max }) => `debe excluir menos enlaces: como máximo ${formatCount(max)}`,
  all_left_out: "lo excluye todo",

  // Destinations, hosts, addresses
  not_http: "debe empezar por http:// o https://",
  not_https: "debe ser una URL que empiece por https://",
  not_a_url: "debe ser una URL completa, como https://example.com/page",
  not_an_image_url: ({ max }) =>
    `debe ser la URL https de una imagen, con un nombre de host y como máximo ${characters(max)}`,
  not_an_app_url: "debe ser una dirección completa, como acme://spring",
  refused_scheme:
    "debe empezar por https:// o por el esquema de una app, como acme:; no se admiten los esquemas que abren un navegador, pagan o maneja el propio sistema (javascript:, intent:, tel:, upi: y otros)",
  not_a_short_url: "debe ser una URL corta con host y slug, como go.example/spring",
  too_long_with_utm: ({ max }) => `no puede hacer la URL más larga que ${characters(max)}`,
  has_credentials: "no puede contener un nombre de usuario ni una contraseña; quita la parte hasta la @",
  no_host: "debe tener un host después de //, como https://example.com/page",
  wrong_host: ({ value }) => `debe tener un host válido; ${value} no lo es`,
  wrong_host_end: "debe tener un host que termine en una letra o sea una dirección IPv4",
  wrong_host_characters: "debe tener un host de letras, cifras, guiones, guiones bajos y puntos",
  empty_host_label: "no puede tener un host con dos puntos seguidos o con un punto al principio",
  hyphen_at_label_end: "no puede tener un host con un guion al principio o al final de una parte entre puntos",
  host_label_too_long: ({ max }) => `puede tener como máximo ${characters(max)} entre dos puntos del host`,
  host_too_long: ({ max }) => `no puede tener un host de más de ${characters(max)}`,
  wrong_punycode: "debe tener un host internacional válido; lo que sigue a xn-- no se puede leer",
  wrong_port: "debe tener un puerto de 1 a 65535",
  refused_port: ({ value }) => `no puede tener el puerto ${value}, que los navegadores rechazan`,
  refused_outbound_port: ({ min }) => `debe usar el puerto 80, el 443 o uno de ${min} a 65535`,
  unreachable_host: ({ value, address }) =>
    `debe tener un host al que llegue un navegador; ${value} es la dirección ${address}`,
  unusual_ip_address: ({ suggestion }) => `debe llevar la dirección IPv4 en su forma habitual, ${suggestion}`,
  private_host: "debe estar en un host público, no en uno privado o interno",
  leads_back: "no puede llevar de vuelta a este servicio",
  leads_to_domain: "no puede llevar a un dominio de este servicio",
  blocked: ({ reason }) => `lleva a un host o una página que este servicio bloquea${inBrackets(blockReasons, reason)}`,
  too_many_nested_urls: ({ max }) => `no puede contener tantas otras URL; como máximo ${formatCount(max)}`,
  not_a_host: "debe ser solo un nombre de host, como example.com; incluye sus subdominios",
  not_a_host_or_url: "debe ser un host, como evil.example, o una URL completa",
  not_a_host_name: "no es un nombre de host válido",
  not_only_a_host: ({ suggestion = "go.acme.com" }) => `debe ser solo el nombre de un host: ${suggestion}`,
  wildcard: "debe ser un solo nombre; no se admiten comodines",
  ip_address: "debe ser un nombre, no una dirección IP",
  wrong_host_labels:
    "debe constar de partes de letras, cifras y guiones con un punto entre ellas, y ninguna parte puede empezar o terminar con un guion",
  too_few_labels: "debe tener al menos dos partes, como go.acme.com",
  special_name: "tiene un dominio de primer nivel que ningún host público tiene",
  public_suffix: "es un sufijo público, con el que cualquiera puede registrar nombres",
  own_host: "es el host propio del servicio o un subdominio suyo",
  above_own_host: "es un dominio superior al host propio del servicio",
  like_own_host: "se parece al host propio del servicio",
  anonymous_host: "es el host de los enlaces que se crean sin cuenta",
  shared_host: "es un host en el que muchas personas tienen páginas propias; retira el subdominio o los enlaces",
  not_an_email: "debe ser un correo, como ann@example.com",
  email_not_ascii: "solo puede contener ASCII; un dominio internacional se escribe en Punycode (xn--…)",
  email_not_punycode: ({ suggestion }) => `debe llevar el dominio internacional en Punycode: ${suggestion}`,

  // Links
  wrong_slug: ({ max }) =>
    `debe tener de 1 a ${formatCount(max)} letras, cifras, - o _. Un dominio propio puede permitir barras sueltas entre ellos`,
  reserved: "está reservado para el servicio",
  nested_slugs_off:
    "tiene una barra, para la que hace falta un dominio propio que permita barras en los slugs. Permítelas en los ajustes del dominio, o elige un slug sin barra",
  not_an_alias: "solo puede nombrar alias que el enlace tiene",
  dots_only: "no puede ser . ni .., que no pueden formar parte de una URL",
  too_many_tags: ({ max }) => `daría al enlace más de ${plural(max, "etiqueta", "etiquetas")}`,
  also_in: ({ field }) => `no puede tener un valor que también tiene «${field}»`,
  no_condition: "necesita al menos una condición",
  not_a_country: "debe ser un país (ISO 3166-1), como DE o GB",
  not_a_region: "debe ser una región (ISO 3166-2), como US-CA",
  not_a_language: "debe ser un idioma (BCP 47), como de o pt-BR",
  repeated_country: "debe nombrar cada país una sola vez",
  everybody: "debe ser menor que 100; quítalo para todos los visitantes",
  on_together: ({ field }) => `no puede estar activado junto con «${field}». Desactiva antes lo otro`,

  // QR codes
  not_a_colour: "debe ser #rgb o #rrggbb",
  not_darker: ({ value }) =>
    `debe ser más oscuro que el fondo ${value}: muchos lectores no leen un código claro sobre un fondo oscuro`,
  low_contrast: ({ value, actual, min }) =>
    `tiene muy poco contraste con el fondo ${value}: ${actual} a 1, y los lectores necesitan ${min} a 1`,
  as_bright: ({ value }) =>
    `es más o menos tan claro como el fondo ${value}: muchos lectores no ven colores, así que elige un color más oscuro o un fondo más claro para este estilo`,
  content_too_long: ({ level }) =>
    `es demasiado largo para un código de nivel ${level}; acórtalo o elige un nivel más bajo`,
  too_long_for_style:
    "es demasiado largo para este estilo; elige un contenido más corto, un nivel más bajo, o puntos y esquinas cuadrados sin marco",
  code_too_small: ({ min }) =>
    `debe ser aquí como mínimo ${formatCount(min)}, para que los lectores puedan leer el código`,
  low_level: "debe ser Q o H con un logotipo, porque el logotipo tapa una parte del código",
  logo_too_large: ({ max, level }) =>
    `debe ser como máximo ${formatCount(max)} con el nivel ${level}, que no corrige más`,
  small_margin: ({ min }) =>
    `debe ser como mínimo ${formatCount(min)} con un marco, que los lectores tomarían por una parte del código`,
  unknown_letters: ({ value }) =>
    `puede tener las letras latinas de las lenguas europeas, cifras y signos de puntuación, pero no ${value}`,
  not_an_image: "debe ser una imagen PNG o JPEG",
  other_image: ({ value }) => `se declara como imagen de tipo ${value}, pero es de otro tipo`,
  cut_image: ({ value }) => `no es un ${value} completo`,
  too_many_pixels: ({ max }) =>
    `tiene demasiados píxeles para un PNG o PDF: redúcelo a un máximo de ${formatCount(max)} por ${formatCount(max)}`,
  interlaced_image: "es un PNG entrelazado, que solo un SVG puede mostrar: guárdalo sin entrelazado",
  cannot_unpack: "no se puede descomprimir: guárdalo como otro PNG",

  // Rows of imports
  wrong_cell_count: ({ actual, max }) =>
    `tiene ${plural(actual, "celda", "celdas")}, pero el archivo tiene ${plural(max, "columna", "columnas")}`,
  open_quote:
    "tiene unas comillas que abarcan las filas de abajo. Ciérralas, o duplícalas si son un carácter del texto",
  repeated_cell_name: ({ value }) => `nombra ${value} más de una vez. Pon cada nombre una sola vez`,
  unknown_word: ({ value }) => `tiene la palabra ${value}, que no es ni sí ni no. Escribe true o false`,
  home_page: "es la dirección del propio dominio. Elige su destino en los ajustes del dominio",
  no_column: "no es una columna del archivo",
  mapped_twice: ({ field }) => `no puede ser «${field}», que ya es otra columna`,

  // Accounts and persons
  not_the_name: ({ value }) => `debe ser el nombre de la cuenta: ${value}`,
  retention_out_of_range: ({ min, max }) =>
    `debe estar entre ${formatCount(min)} y ${formatCount(max)} en este servicio`,
  common_password: "es una de las más comunes; elige otra",
  guessable_password: "se forma con tu nombre, tu correo o palabras de este servicio; añade otras palabras",
  breached_password: "se conoce por una filtración de otro servicio; elige otra",
  other_browser: "es obligatorio, porque este no es el navegador del registro",
  wrong_setup_code: "no es el código de instalación de este servicio",
  ended_setup_code: "ya no sirve: se usó o tiene más de 7 días. Crea otro con npm run account -- setup-code --remote",
  wrong_origin: ({ expected }: { expected: string }) => `debe ser ${expected}, la dirección de esta página`,
  unclaimable_origin: "debe empezar por https: y no ser una dirección de vista previa ni un dominio propio",
  wrong_code: "es incorrecto; comprueba el reloj del dispositivo y prueba el código siguiente",
  same_email: "ya es tu correo",
  refused_email: "debe ser de un dominio que este servicio acepte",
  not_the_invited: "debe ser el correo invitado",
  dead_token: "no sirve: se usó, ha caducado o se sustituyó; pide un correo nuevo",
  not_enough: "no basta aquí",
  yourself: "eres tú; nombra a otro miembro",
};
