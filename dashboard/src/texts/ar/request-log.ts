import type { requestLog as english } from "../en/request-log.ts";
import { isolated } from "./arabic.ts";

export const requestLog: typeof english = {
  title: "طلبات API",
  lead: "ما طلبته البرامج من API بمفاتيح هذا الحساب في آخر 7 أيام. تظهر الطلبات الجديدة بعد نحو 10 ثوانٍ.",
  link: "الطلبات",
  linkOf: (name) => `الطلبات بالمفتاح «${isolated(name)}»`,
  all: "كل الطلبات",
  filter: {
    key: "المفتاح",
    allKeys: "كل المفاتيح",
    status: "الحالة",
    allStatuses: "الكل",
    method: "الطريقة",
    allMethods: "الكل",
  },
  statuses: { "2xx": "2xx: تم", "3xx": "3xx: أُعيد توجيهه", "4xx": "4xx: رُفض", "5xx": "5xx: فشل" },
  request: "الطلب",
  answer: "الحالة",
  key: "المفتاح",
  time: "الوقت",
  unknownKey: "مفتاح سابق",
  took: (ms) => `${ms} مللي ثانية`,
  id: (id) => `معرّف الطلب: ${isolated(id)}`,
  empty: { title: "لا توجد طلبات بعد", text: "عندما يستخدم برنامج مفتاحًا لهذا الحساب، تظهر طلباته هنا." },
  noMatch: { title: "لا توجد طلبات كهذه", text: "لا يطابق أي طلب في آخر 7 أيام عوامل التصفية هذه." },
  off: "أوقف مشغّل هذه الخدمة سجل الطلبات.",
  leftOut: (count) => `عدد طلبات هذه الأيام التي ليست في السجل: ${count}. يحتفظ السجل بأحدث طلبات كل يوم.`,
};
