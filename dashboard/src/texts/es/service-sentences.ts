/** What people meet of the sentences of the service, with … for what is inserted. */
export const serviceSentences: Readonly<Record<string, string>> = {
  // What is wrong with a field
  "is required": "es obligatorio",
  "is not valid": "no es válido",
  "must not be empty": "no puede estar vacío",
  "must have at least … characters": "debe tener al menos … caracteres",
  "must have at most … characters": "puede tener como máximo … caracteres",
  "must have at most … characters, percent-encoding included":
    "puede tener como máximo … caracteres, incluida la codificación con %",
  "must have at most … items": "puede tener como máximo … elementos",
  "must be at most … rules": "puede tener como máximo … reglas",
  "must be at most … aliases": "puede tener como máximo … alias",
  "must name at most … countries": "puede nombrar como máximo … países",
  "must name each country once": "debe nombrar cada país una sola vez",
  "must be one of …": "debe ser uno de estos: …",
  "must be a whole number": "debe ser un número entero",
  "must be more than 0": "debe ser mayor que 0",
  "must be less than 100; leave it out for all visitors": "debe ser menor que 100; quítalo para todos los visitantes",
  "must not contain line breaks or unreadable characters": "no puede contener saltos de línea ni caracteres ilegibles",
  "must not contain spaces, line breaks or unreadable characters":
    "no puede contener espacios, saltos de línea ni caracteres ilegibles",
  "must not contain spaces, backslashes, line breaks or unreadable characters":
    "no puede contener espacios, barras invertidas, saltos de línea ni caracteres ilegibles",
  "must not contain unreadable characters; remove …, which is character …":
    "no puede contener caracteres ilegibles; quite …, que es el carácter número …",
  "must not contain unreadable characters": "no puede contener caracteres ilegibles",
  "must begin with http:// or https://": "debe empezar por http:// o https://",
  "must be a URL that begins with https://": "debe ser una URL que empiece por https://",
  "must be a complete URL, such as https://example.com/page":
    "debe ser una URL completa, como https://example.com/page",
  "must be a complete URL, such as https://example.com/hooks":
    "debe ser una URL completa, como https://example.com/hooks",
  "must be a complete address, such as acme://spring": "debe ser una dirección completa, como acme://spring",
  "must have a host after the //, such as https://example.com/page":
    "debe tener un host después de //, como https://example.com/page",
  "must have a host that ends in a letter or is an IPv4 address":
    "debe tener un host que termine en una letra o sea una dirección IPv4",
  "must have a host of letters, digits, hyphens, underscores and dots":
    "debe tener un host de letras, cifras, guiones, guiones bajos y puntos",
  "must have a port from 1 to 65535": "debe tener un puerto de 1 a 65535",
  "must have a valid host; … is none": "debe tener un host válido; … no lo es",
  "must have a host that a browser can reach; … is the address …":
    "debe tener un host al que llegue un navegador; … es la dirección …",
  "must not have the port …, which browsers refuse": "no puede tener el puerto …, que los navegadores rechazan",
  "must not have a host with two dots in a row or with a dot at its beginning":
    "no puede tener un host con dos puntos seguidos o con un punto al principio",
  "must not contain a user name or password": "no puede contener un nombre de usuario ni una contraseña",
  "must not contain a user name or password; remove the part up to the @":
    "no puede contener un nombre de usuario ni una contraseña; quita la parte hasta la @",
  "has a top-level domain that no public host has": "tiene un dominio de primer nivel que ningún host público tiene",
  "must be on a public host, not on a private or internal one":
    "debe estar en un host público, no en uno privado o interno",
  "must not lead back to this service": "no puede llevar de vuelta a este servicio",
  "must not lead to a domain of this service": "no puede llevar a un dominio de este servicio",
  "must be 1 to … letters, digits, - or _": "debe tener de 1 a … letras, cifras, - o _",
  "A custom domain can permit single slashes between them":
    "Un dominio propio puede permitir barras sueltas entre ellos",
  "has a slash, which needs a custom domain that permits slashes in slugs":
    "tiene una barra, para la que hace falta un dominio propio que permita barras en los slugs",
  "Permit them in the settings of the domain, or choose a slug without a slash":
    "Permítelas en los ajustes del dominio, o elige un slug sin barra",
  "cannot be on together with …": "no puede estar activado junto con «…»",
  "Turn off … first": "Desactiva antes «…»",
  "Slashes in slugs stay permitted at …, because links there have some in their slugs or aliases, or deleted links that can be restored have":
    "Las barras en los slugs siguen permitidas en …, porque allí hay enlaces que las tienen en su slug o en uno anterior, o enlaces eliminados que se pueden restaurar y las tienen",
  "Give the links other slugs and remove such aliases, or delete the links":
    "Da otros slugs a los enlaces y quita esos slugs anteriores, o elimina los enlaces",
  "Deleted links no longer count after … days": "Los enlaces eliminados dejan de contar a los … días",
  "is reserved for the service": "está reservado para el servicio",
  "is no verified domain of this account": "no es un dominio verificado de esta cuenta",
  "must be in the future; a number is in milliseconds": "debe estar en el futuro",
  "must end after it starts": "debe terminar después de empezar",
  "needs at least one condition": "necesita al menos una condición",
  "needs at least one parameter": "necesita al menos un parámetro",
  "needs at least one tag": "necesita al menos una etiqueta",
  "needs a title, a description or an image": "necesita un título, una descripción o una imagen",
  "must name at least one event": "debe nombrar al menos un evento",
  "must name at least one permission": "debe nombrar al menos un permiso",
  "must be a country (ISO 3166-1), such as DE or GB": "debe ser un país (ISO 3166-1), como DE o GB",
  "must be a region (ISO 3166-2), such as US-CA": "debe ser una región (ISO 3166-2), como US-CA",
  "must be a language (BCP 47), such as de or pt-BR": "debe ser un idioma (BCP 47), como de o pt-BR",
  "must be a host name without anything else, such as example.com; it includes its subdomains":
    "debe ser solo un nombre de host, como example.com; incluye sus subdominios",
  "must be only the name of a host: …": "debe ser solo el nombre de un host: …",
  "must have at least two labels, such as go.acme.com": "debe tener al menos dos partes, como go.acme.com",
  "must be a single name; wildcards are not supported": "debe ser un solo nombre; no se admiten comodines",
  "must be a name, not an IP address": "debe ser un nombre, no una dirección IP",
  "is not a valid host name": "no es un nombre de host válido",
  "is a public suffix, under which anyone can register names":
    "es un sufijo público, con el que cualquiera puede registrar nombres",
  "is the service's own host or a subdomain of it": "es el host propio del servicio o un subdominio suyo",
  "is a parent domain of the service's own host": "es un dominio superior al host propio del servicio",
  "must be the https URL of an image, with a host name and at most … characters":
    "debe ser la URL https de una imagen, con un nombre de host y como máximo … caracteres",
  "must be #rgb or #rrggbb": "debe ser #rgb o #rrggbb",
  "must be darker than the background …: many scanners cannot read a light code on a dark background":
    "debe ser más oscuro que el fondo …: muchos lectores no leen un código claro sobre un fondo oscuro",
  "has too little contrast with the background …: … to 1, and scanners need … to 1":
    "tiene muy poco contraste con el fondo …: … a 1, y los lectores necesitan … a 1",
  "must be a PNG or JPEG image": "debe ser una imagen PNG o JPEG",
  "must have at most … bytes; this image has …": "puede tener como máximo … bytes; esta imagen tiene …",
  "is declared as image/…, but its first bytes belong to another format":
    "se declara como image/…, pero sus primeros bytes son de otro formato",
  "is not a whole …": "no es un … completo",
  "must be Q or H with a logo, because the logo covers modules":
    "debe ser Q o H con un logotipo, porque el logotipo tapa módulos",
  "must have its international domain in Punycode: …@…": "debe llevar el dominio internacional en Punycode: …@…",
  "must be in ASCII; an international domain is written in Punycode (xn--…)":
    "solo puede contener ASCII; un dominio internacional se escribe en Punycode (xn--…)",
  "must be an e-mail address, such as ann@example.com": "debe ser un correo, como ann@example.com",
  "is your address already": "ya es tu correo",
  "is one of the commonest passwords; choose another one": "es una de las más comunes; elige otra",
  "is made of your name, your address, or words of this service; add other words":
    "se forma con tu nombre, tu correo o palabras de este servicio; añade otras palabras",
  "is known from a breach of another service; choose another one":
    "se conoce por una filtración de otro servicio; elige otra",
  "is wrong; check the clock of the device, and try the next code":
    "es incorrecto; comprueba el reloj del dispositivo y prueba el código siguiente",

  // Whole sentences
  "Try again": "Inténtalo de nuevo",
  "Try again later": "Inténtalo más tarde",
  "Try again in … second": "Inténtalo de nuevo en … segundo",
  "Try again in … seconds": "Inténtalo de nuevo en … segundos",
  "Try again in … minute": "Inténtalo de nuevo en … minuto",
  "Try again in … minutes": "Inténtalo de nuevo en … minutos",
  "Try again in … hours": "Inténtalo de nuevo en … horas",
  "Nothing was changed": "No se cambió nada",
  "Nothing was done": "No se hizo nada",
  "No mail was sent": "No se envió ningún correo",
  "Choose another one": "Elige otro",
  "Delete one first": "Elimina antes uno",
  "Remove one first": "Quita antes una",
  "Remove it first": "Quítala antes",
  "Add and verify it first": "Añádelo y verifícalo antes",
  "Add one first": "Añade antes uno",
  "Create a new one": "Crea una nueva",
  "Begin again": "Empieza de nuevo",
  "Split it into several files": "Divídelo en varios archivos",
  "Too many requests…": "Demasiadas solicitudes",
  "Too many wrong passwords": "Demasiadas contraseñas incorrectas",
  "There were too many wrong attempts": "Hubo demasiados intentos incorrectos",
  "This address has had several invitations lately": "Este correo recibió varias invitaciones hace poco",
  "This service sends too many mails at the moment": "Este servicio envía demasiados correos en este momento",
  "Too many people are looking at the shared pages of this account":
    "Demasiadas personas están viendo las páginas compartidas de esta cuenta",
  "The slug … is taken": "El slug … está ocupado",
  "The slug … was used again after the deletion, so this link cannot be restored":
    "El slug … se volvió a usar después de la eliminación, así que este enlace no se puede restaurar",
  "No free slug was found": "No se encontró un slug libre",
  "Other requests are changing this link at the same time": "Otras solicitudes están cambiando este enlace a la vez",
  "… is not a verified domain of this account": "… no es un dominio verificado de esta cuenta",
  "This account already has the domain …": "Esta cuenta ya tiene el dominio …",
  "The former links of … are still being deleted": "Los enlaces anteriores de … se están eliminando todavía",
  "There are … of these already": "Ya hay …, que es el máximo",
  "There is no such link": "Este enlace no existe",
  "There is no such domain": "Este dominio no existe",
  "There is no such key": "Esta clave no existe",
  "There is no such webhook": "Este webhook no existe",
  "There is no such team": "Este equipo no existe",
  "There is no such member": "Este miembro no existe",
  "There is no such session": "Esta sesión no existe",
  "There is no such passkey": "Esta llave de acceso no existe",
  "There is no such shared page": "Esta página compartida no existe",
  "There is another …view with this name": "Ya hay otra vista con este nombre",
  "This account has another UTM template with the name …": "Esta cuenta tiene otra plantilla UTM con el nombre …",
  "You get this report already, as often": "Ya recibes este informe, con la misma frecuencia",
  "A person gets at most … reports of an account, and its members …":
    "Una persona recibe como máximo … informes de una cuenta, y todos sus miembros …",
  "End one first": "Detén antes uno",
  "A person with this address is a member already": "Una persona con este correo ya es miembro",
  "A team needs an owner": "Un equipo necesita un propietario",
  "Make another member the owner first": "Haz antes propietario a otro miembro",
  "The team has … members, which is the maximum": "El equipo tiene … miembros, que es el máximo",
  "You have … passkeys, which is the maximum": "Tienes … llaves de acceso, que es el máximo",
  "This passkey was added before": "Esta llave de acceso ya se añadió",
  "You have an authenticator app already": "Ya tienes una app de autenticación",
  "You have no authenticator app": "No tienes una app de autenticación",
  "Another request changed the authenticator app": "Otra solicitud cambió la app de autenticación",
  "The address or the password is wrong": "El correo o la contraseña no son correctos",
  "The password is wrong": "La contraseña es incorrecta",
  "The code is wrong or was used before": "El código es incorrecto o ya se usó",
  "An authenticator app shows a new one every 30 seconds":
    "Una app de autenticación muestra uno nuevo cada 30 segundos",
  "The passkey was not accepted: it is unknown, was removed, or did not verify the person":
    "La llave de acceso no se aceptó: es desconocida, se quitó o no verificó a la persona",
  "That is not the password": "Esa no es la contraseña",
  "Check it, including upper and lower case, and try again":
    "Compruébala, también las mayúsculas y minúsculas, e inténtalo de nuevo",
  "Sign in first": "Inicia sesión antes",
  "No session was sent, or it has ended": "La sesión falta o ha terminado",
  "Another person asked for this change": "Este cambio lo pidió otra persona",
  "Sign in as that person": "Inicia sesión como esa persona",
  "The operator of this service has disabled this account": "El operador de este servicio ha desactivado esta cuenta",
  "The password cannot be checked now": "La contraseña no se puede comprobar ahora",
  "Too many passwords are being checked at the moment": "Se están comprobando demasiadas contraseñas en este momento",
  "A part of the service is overloaded or restarting": "Una parte del servicio está sobrecargada o se está reiniciando",
  "The rate limiter did not respond": "El limitador de solicitudes no respondió",
  "The database did not respond": "La base de datos no respondió",
  "The change may have been applied; check before retrying":
    "Puede que el cambio se haya aplicado; compruébalo antes de repetirlo",
  "This webhook is inactive": "Este webhook está desactivado",
  "The export is not done yet": "La exportación todavía no ha terminado",
  "The file is empty": "El archivo está vacío",
  "The file has more than … links": "El archivo tiene más de … enlaces",
  "The file has more than … columns": "El archivo tiene más de … columnas",
  "The file is a web page": "El archivo es una página web",
  "Export the links as CSV or JSON at the old service, and upload that file":
    "Exporta los enlaces como CSV o JSON en el servicio anterior y sube ese archivo",
  "A table of a web page can be saved as CSV in a spreadsheet":
    "Una tabla de una página web se puede guardar como CSV en una hoja de cálculo",
  "The file has no links": "El archivo no tiene enlaces",
  "The row that begins in line … has more than … bytes": "La fila que empieza en la línea … tiene más de … bytes",
  "Look for a quotation mark in it that is not closed": "Busca en ella unas comillas sin cerrar",
  "The row that begins in line … has a quotation mark that is not closed":
    "La fila que empieza en la línea … tiene unas comillas sin cerrar",
  "The file may be incomplete": "Puede que el archivo esté incompleto",
  "The objects of the file have more than … different fields":
    "Los objetos del archivo tienen más de … campos distintos",
  "Object … of the file has more than … bytes": "El objeto … del archivo tiene más de … bytes",
  "Object … of the file is nested more than … levels deep":
    "El objeto … del archivo tiene más de … niveles de anidamiento",
  "The file ends in the middle of its JSON, after … complete …":
    "El archivo termina en medio de su JSON; objetos completos antes: …",
  "The file is not valid JSON": "El archivo no es JSON válido",
  "Its object …, or what follows it, cannot be read": "Su objeto …, o lo que le sigue, no se puede leer",
  "The names of the columns have more than … bytes": "Los nombres de las columnas tienen más de … bytes",
};
