import type { mailReports as english } from "../en/mail-reports.ts";
import { isolated } from "./arabic.ts";

export const mailReports: typeof english = {
  send: "إرسال كتقرير",
  all: "كل الروابط",
  ofTag: (tag) => `الروابط ذات الوسم «${isolated(tag)}»`,
  schedule: {
    label: "كم مرة",
    weekly: "كل يوم اثنين، عن الأسبوع السابق",
    monthly: "في أول يوم من الشهر، عن الشهر السابق",
    hint: "في الساعة 07:00 حسب المنطقة الزمنية أدناه.",
    next: (when) => `يأتي التالي في ${when}.`,
  },
  subscribe: {
    title: "تلقي النقرات بالبريد",
    ofLink: (link) => `تلقي نقرات ${isolated(link)} بالبريد`,
    lead: (email) =>
      `يتلقى ${isolated(email)} رسالة بالنقرات والزوار وتغيّرها، وبأكثر الروابط والبلدان والمُحيلين. لا تُحتسب عوامل التصفية الأخرى للصفحة.`,
    links: "الروابط",
    action: "الإرسال إليّ",
    created: "ستتلقى هذا التقرير بالبريد.",
    list: "كل التقارير التي تتلقاها من هذا الحساب",
  },
  settings: {
    lead: "نقرات هذا الحساب التي تتلقاها بالبريد. لا يرى الآخرون تقاريرك. في كل رسالة رابط يوقفها.",
    create: "الاختيار في التحليلات",
    empty: {
      title: "لا تتلقى تقارير بالبريد",
      text: "افتح تحليلات الحساب أو رابط، واختر «إرسال كتقرير».",
    },
    link: "رابط",
    change: (name) => `تغيير التقرير: ${isolated(name)}`,
    changed: (name) => `تم تغيير التقرير: ${isolated(name)}.`,
    stop: "إيقاف",
    stopped: (name) => `تم إيقاف التقرير: ${isolated(name)}`,
  },
};
