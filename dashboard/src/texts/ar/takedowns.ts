import { isolated } from "./arabic.ts";
import type { takedowns as english } from "../en/takedowns.ts";

export const takedowns: typeof english = {
  kinds: { link: "رابط", account: "حساب", domain: "نطاق", host: "كل الروابط إلى مضيف" },
  reasons: {
    phishing: "تصيّد",
    malware: "برامج ضارة",
    spam: "رسائل مزعجة",
    child_abuse: "إساءة إلى الأطفال",
    illegal: "غير قانوني",
    policy: "قواعد هذه الخدمة",
    other: "شيء آخر",
  },
  legalOrder: "أمر قانوني",
  inForce: "ساري المفعول",
  reversed: "أُلغي",
  lead: "ما حجبه مشغّلو الخدمة من هذا الحساب، واعتراضاتك.",
  empty: {
    title: "لم يُحجب شيء",
    text: "إذا حجب مشغّل شيئًا، يُدرج هنا مع السبب.",
  },
  appeal: "اعتراض…",
  title: (name) => `اعتراض على حجب ${isolated(name)}`,
  statement: "لماذا هو خطأ؟",
  hint: "يقرؤه مشغّل ويبتّ فيه. يمكنك الاعتراض مرة واحدة، ويصلك القرار بالبريد.",
  action: "إرسال الاعتراض",
  sent: "تم إرسال الاعتراض",
  yours: "قلت",
  waiting: "لم يبتّ فيه أحد بعد.",
  decisions: {
    upheld: "تم البتّ: يبقى محجوبًا.",
    reversed: "تم البتّ: لم يعد محجوبًا.",
  },
};
