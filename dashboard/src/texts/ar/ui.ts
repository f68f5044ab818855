import type { ui as english } from "../en/ui.ts";
import { isolated } from "./arabic.ts";

export const ui: typeof english = {
  cancel: "إلغاء",
  close: "إغلاق",
  copied: "تم النسخ",
  copy: "نسخ",
  copyRefused: "لم يسمح المتصفح بالنسخ. حدّد النص واضغط Ctrl+C.",
  hidePassword: "إخفاء كلمة المرور",
  loading: "جارٍ التحميل",
  notDownloaded: "لم يتم تنزيل الملف",
  notifications: "الإشعارات",
  reload: "إعادة تحميل الصفحة",
  remove: (name) => `إزالة ${isolated(name)}`,
  retry: "إعادة المحاولة",
  save: "حفظ",
  showPassword: "إظهار كلمة المرور",
  undo: "تراجع",
};
