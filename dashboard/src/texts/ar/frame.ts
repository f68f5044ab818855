import type { frame as english } from "../en/frame.ts";

/** The texts of app.html, which are shown while the page is loading. */
export const frame: typeof english = {
  failed: "تعذّر تحميل الصفحة. تحقق من اتصالك.",
  noScript: "تحتاج لوحة التحكم إلى JavaScript. أما الروابط القصيرة وواجهة API فتعمل بدونه.",
  slow: "لا تزال الصفحة قيد التحميل. اتصالك بطيء.",
};
