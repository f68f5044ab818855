import type { language as english } from "../en/language.ts";

export const language: typeof english = {
  browser: "كما في المتصفح",
  hint: "للوحة التحكم. الرسائل البريدية والمستندات ومرجع API باللغة الإنجليزية.",
  label: "اللغة",
};
