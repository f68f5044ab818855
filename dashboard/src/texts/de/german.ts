import { formatCount } from "../../lib/format.ts";

/*
 * The words of the German texts. They say "Sie", and do without where it is natural. Buttons are infinitives. Quotation marks: „…“.
 *
 * account: Konto · app: App · appeal: Einspruch · API key: API-Schlüssel · archive: archivieren · audit log: Audit-Log ·
 * bulk job: Sammelauftrag · claim: übernehmen · click: Klick · delivery: Zustellung · destination and target: Ziel · disable:
 * deaktivieren · domain: Domain · expiry: Ablauf · job: Auftrag · link: Link · member: Mitglied · operator: Betreiber · owner:
 * Inhaber · redirect: Weiterleitung · revoke: widerrufen · scope: Berechtigung · second factor: zweiter Faktor · session: Sitzung ·
 * shared page: geteilte Seite · short link: Kurzlink · short URL: Kurz-URL · signing secret: Signatur-Secret · slug: Slug · tag: das
 * Tag, die Tags · takedown: Sperrung · team: Team · viewer (role): Leser, (of a shared page): Betrachter · visitor: Besucher · webhook: Webhook
 */

/** 1 Klick, 1.234 Klicks */
export const plural = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** In all cases but the genitive. */
export const links = (count: number): string => plural(count, "Link", "Links");
