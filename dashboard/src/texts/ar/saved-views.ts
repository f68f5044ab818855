import type { savedViews as english } from "../en/saved-views.ts";
import { isolated } from "./arabic.ts";

export const savedViews: typeof english = {
  label: "العروض",
  open: (name, isChanged) => `العرض: ${isolated(name)}${isChanged ? "، متغيّر" : ""}`,
  changed: "، متغيّر",
  own: "عروضك",
  shared: "مشتركة مع الفريق",
  none: "لا توجد عروض بعد",
  loading: "جارٍ التحميل…",
  saveAs: "حفظ كعرض…",
  update: (name) => `حفظ التغييرات في «${isolated(name)}»`,
  edit: (name) => `إعادة تسمية «${isolated(name)}» أو مشاركته…`,
  rename: (name) => `إعادة تسمية «${isolated(name)}»…`,
  remove: (name) => `حذف «${isolated(name)}»`,
  create: "حفظ هذا العرض",
  createText: "عوامل التصفية والترتيب في هذه الصفحة، باسم.",
  change: (name) => `تغيير «${isolated(name)}»`,
  name: "الاسم",
  share: "مشاركة مع الفريق",
  shareHint: "يمكن لكل الأعضاء فتحه. ويمكن للأعضاء الذين يُسمح لهم بتغيير الروابط تغييره.",
  created: (name) => `تم حفظ العرض «${isolated(name)}»`,
  saved: (name) => `تم تغيير العرض «${isolated(name)}»`,
  removed: (name) => `تم حذف العرض «${isolated(name)}»`,
};
