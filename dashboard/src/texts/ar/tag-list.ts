import { formatCount } from "../../lib/format.ts";
import type { tagList as english } from "../en/tag-list.ts";
import { isolated, links, linksAfter } from "./arabic.ts";

export const tagList: typeof english = {
  lead: "وسوم روابطك. يسري التغيير هنا على كل الروابط دفعة واحدة.",
  empty: {
    title: "لا توجد وسوم بعد",
    text: "أعطِ الروابط وسومًا في المحرر، أو حدّد عدة روابط في القائمة. تظهر هنا.",
  },
  links,
  renameOf: (tag) => `إعادة تسمية أو دمج: ${isolated(tag)}`,
  rename: (tag) => `إعادة تسمية «${isolated(tag)}»`,
  name: "الاسم",
  nameHint: "يدمج اسم وسم آخر الاثنين.",
  merge: "دمج الوسمين",
  merges: (tag, other) =>
    `«${isolated(other.name)}» (${links(other.links)}) موجود. يصبح «${isolated(tag.name)}» (${links(tag.links)}) جزءًا منه. لا يمكنك التراجع عن ذلك.`,
  removal: (tag) => `هل تريد حذف الوسم «${isolated(tag)}»؟`,
  removalText: (count) => `يُزال من ${linksAfter(count)}. وتبقى الروابط. لا يمكنك التراجع عن ذلك.`,
  remove: "حذف الوسم",
  progress: (done, total) => `${formatCount(done)} من ${linksAfter(total)}`,
  renamed: (tag, name) => `أصبح «${isolated(tag)}» الآن «${isolated(name)}»`,
  merged: (tag, name, count) => `تم دمج «${isolated(tag)}» في «${isolated(name)}»: ${links(count)}`,
  removed: (tag, count) => `تمت إزالة «${isolated(tag)}» من ${linksAfter(count)}`,
  colorOf: (tag, color) => `لون ${isolated(tag)}: ${color}`,
  colored: (tag) => `تم تغيير لون «${isolated(tag)}»`,
  colors: {
    none: "بلا لون",
    gray: "رمادي",
    red: "أحمر",
    orange: "برتقالي",
    yellow: "أصفر",
    green: "أخضر",
    teal: "فيروزي",
    blue: "أزرق",
    purple: "بنفسجي",
    pink: "وردي",
  },
};
