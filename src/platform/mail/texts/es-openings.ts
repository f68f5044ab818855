import type { openings as english } from "./en-openings.ts";

/** What mails say of one case before or after the letter, in Spanish. */
export const openings: typeof english = {
  from: (baseUrl) => `Este correo es de ${baseUrl}`,
  stop: "Detener estos correos",
  invitation: {
    operator: "El operador de este servicio",
    invites: (from, team) => `${from} te invita al equipo “${team}”.`,
  },
  reasons: {
    phishing: "phishing",
    malware: "software malicioso",
    spam: "spam",
    child_abuse: "material de abuso sexual infantil",
    illegal: "contenido ilegal",
    legal_order: "una orden legal",
    shortener: "otro acortador, que oculta adónde lleva",
    lookalike: "una dirección que se parece a la de otra persona",
    policy: "las normas de este servicio",
  },
  takedown: {
    link: (shown) => `el enlace corto ${shown}`,
    account: (shown) => `tu cuenta ${shown} con todos sus enlaces`,
    domain: (shown) => `tu dominio ${shown} con todos sus enlaces`,
    host: (shown) => `cada uno de tus enlaces cortos que lleva a ${shown}`,
    imposed: (what, reason) => `Se retiró ${what}. Motivo: ${reason}.`,
    reversed: (what) => `Ya no está retirado: ${what}.`,
    upheld: (what) => `Se mantiene la retirada: ${what}.`,
  },
  screening: {
    blocked: "bloqueado",
    warned: "con un aviso",
    finding: (host, state, reason, shortUrl) => `${host} (${state}, motivo: ${reason}, por ejemplo ${shortUrl}`,
    advisory: "Aviso de Google, que puede ser erróneo",
    others: (count, isAtLeast) => ` y ${isAtLeast ? "al menos " : ""}${count} hosts más`,
    found: (account, hosts) =>
      `La comprobación encontró enlaces cortos de la cuenta “${account}” que llevan a estos hosts: ${hosts}.`,
  },
  broken: {
    one: (account, url) => `El destino de un enlace corto de la cuenta “${account}” no funciona: ${url}.`,
    many: (account, count, urls) =>
      `Los destinos de ${count} enlaces cortos de la cuenta “${account}” no funcionan: ${urls}.`,
    atLeast: (count) => `al menos ${count}`,
    others: (count) => `${count} más`,
  },
  clicks: {
    all: "todos los enlaces",
    ofTag: (tag) => `los enlaces con la etiqueta “${tag}”`,
    opening: (subject, account, start, end, timezone) =>
      `Clics de ${subject} en la cuenta “${account}”, del ${start} al ${end} (${timezone})`,
    clicks: "Clics",
    visitors: "Visitantes",
    links: "Enlaces",
    countries: "Países",
    referrers: "Sitios de origen",
    before: (count) => `${count} en el periodo anterior`,
    deleted: "un enlace eliminado",
    direct: "directo",
  },
};
