import type { blockReasons as englishReasons, forms as englishForms } from "../en/fault-words.ts";

/** Why a page is blocked. */
export const blockReasons: typeof englishReasons = {
  phishing: "تصيّد",
  malware: "برامج ضارة",
  spam: "رسائل مزعجة",
  child_abuse: "إساءة إلى الأطفال",
  illegal: "محتوى غير قانوني",
  legal_order: "أمر قانوني",
  shortener: "رابط قصير آخر",
  lookalike: "عنوان يشبه عنوان موقع آخر",
  policy: "قواعد هذه الخدمة",
};

/** The forms of what people write into the files of apps, after "must be". */
export const forms: typeof englishForms = {
  android_certificate: "SHA-256 لشهادة التطبيق: 32 زوجًا من الأرقام والأحرف الكبيرة من A إلى F، تفصل بينها نقطتان",
  android_package: "اسم حزمة التطبيق، مثل \u2066com.example.app\u2069",
  android_relation: "علاقة، مثل \u2066delegate_permission/common.handle_all_urls\u2069",
  android_site: "موقعًا بلا مسار ولا منفذ، مثل \u2066https://www.example.com\u2069",
  android_statement: "عبارة فيها relation و target",
  android_statement_list: "عنوان URL لقائمة عبارات أخرى",
  apple_app_id: "عشرة أحرف كبيرة وأرقام ثم نقطة ثم معرّف حزمة التطبيق، مثل \u2066ABCDE12345.com.example.app\u2069",
  apple_apps: "فارغًا؛ مكان التطبيقات في details",
  apple_path: "مسارًا يبدأ بـ / أو *، وقد تسبقه NOT",
  apple_query: "نمطًا، أو كائنًا فيه نمط لكل معامل",
  apple_variable: "اسمًا بلا $ و( و)",
};
