import type { errors as english } from "../en/errors.ts";
import { counted, isolated } from "./arabic.ts";

export const errors: typeof english = {
  limited: (seconds) =>
    `كان ذلك سريعًا جدًا. حاول مرة أخرى بعد ${counted(seconds, ["ثانية واحدة", "ثانيتين", "ثوانٍ", "ثانية", "ثانية"])}؛ لن يضيع شيء مما كتبته.`,
  again: (wait) => `حاول مرة أخرى ${wait}.`,
  notFound: { title: "لا توجد صفحة كهذه", text: "تحقق من العنوان، أو تابع مع روابطك." },
  notLoaded: "تعذّر تحميل هذا الجزء من الصفحة. تحقق من اتصالك ثم أعد تحميل الصفحة: قد تكون من إصدار أقدم من Tern.",
  notOpened: "تعذّر فتح الصفحة",
  opensOnline: "لا يوجد اتصال. ستُفتح عندما تعود متصلًا.",
  perhapsNew: "فشل الاتصال، أو هناك إصدار جديد من Tern.",
  offline: "تعذّر الوصول إلى الخدمة. تحقق من اتصالك؛ لن يضيع شيء مما كتبته.",
  requestId: (id) => `إذا تكرر ذلك، فأبلغ عنه بهذا الرقم: ${isolated(id)}`,
  unexpected: "حدث خطأ في هذه الصفحة. أعد تحميلها، وأبلغ عن المشكلة إذا تكررت.",
};
