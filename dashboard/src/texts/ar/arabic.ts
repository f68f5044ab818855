import { formatCount } from "../../lib/format.ts";

/*
 * The words of the Arabic texts. Buttons are nouns of actions, sentences address one person. Quotation marks: «…».
 *
 * account: حساب · alias: رابط سابق · app: تطبيق · appeal: اعتراض · API key: مفتاح API · archive: أرشفة · audit log: سجل التدقيق ·
 * block: حظر · bulk job: مهمة جماعية · click: نقرة · delivery: تسليم · destination: وجهة · disable: تعطيل · domain: نطاق · expiry: انتهاء ·
 * job: مهمة · link: رابط · listener: مستمع · member: عضو · operator: مشغّل · owner: مالك · passkey: مفتاح مرور · redirect: إعادة توجيه ·
 * report (of a link): بلاغ, (by mail): تقرير · revoke: إلغاء · second factor: عامل ثانٍ · session: جلسة · shared page: صفحة مشتركة ·
 * slug: لاحقة · tag: وسم · takedown: حجب · team: فريق · viewer (role): مطّلع, (of a shared page): مشاهد · visitor: زائر · webhook: خطاف ويب
 */

/** The forms of a noun after its number: for 1, for 2, for 3 to 10, for 11 to 99, and for 0, 100 and the like. */
export type Forms = readonly [one: string, two: string, few: string, many: string, other: string];

const RULES = new Intl.PluralRules("ar");

/** نقرة واحدة, نقرتان, 3 نقرات, 11 نقرة */
export function counted(count: number, [one, two, few, many, other]: Forms): string {
  const form = RULES.select(count);
  if (form === "one") return one;
  if (form === "two") return two;
  return `${formatCount(count)} ${form === "few" ? few : form === "many" ? many : other}`;
}

export const links = (count: number): string => counted(count, ["رابط واحد", "رابطان", "روابط", "رابطًا", "رابط"]);

/** After a preposition or another noun, and as an object. */
export const linksAfter = (count: number): string => counted(count, ["رابط واحد", "رابطين", "روابط", "رابطًا", "رابط"]);

export const clicks = (count: number): string => counted(count, ["نقرة واحدة", "نقرتان", "نقرات", "نقرة", "نقرة"]);

/** A name or an address in a sentence, whatever its direction (U+2068, U+2069). */
export const isolated = (text: string): string => `\u2068${text}\u2069`;
