import { formatCount } from "../../lib/format.ts";
import type { notes as english } from "../en/notes.ts";
import { isolated } from "./arabic.ts";

export const notes: typeof english = {
  title: "الملاحظات",
  add: "إضافة ملاحظة",
  edit: "تعديل الملاحظة",
  text: "ما الذي حدث",
  example: "أُرسلت النشرة",
  when: "متى",
  about: "بشأن",
  allClicks: "كل النقرات",
  tag: (name) => `الوسم ${isolated(name)}`,
  editOf: (text) => `تعديل الملاحظة: ${isolated(text)}`,
  deleteOf: (text) => `حذف الملاحظة: ${isolated(text)}`,
  showAll: (count) => `عرض كل الملاحظات (${formatCount(count)})`,
  added: "تمت إضافة الملاحظة.",
  changed: "تم تغيير الملاحظة.",
  deleted: "تم حذف الملاحظة.",
};
