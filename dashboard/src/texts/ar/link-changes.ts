import type { Change } from "../../features/links/changes.ts";
import { formatDay } from "../../lib/format.ts";
import { isolated, linksAfter } from "./arabic.ts";

const list = (names: readonly string[]): string => names.map((name) => `«${isolated(name)}»`).join("، ");

/** "تمت أرشفة 3 روابط" */
export function describeDone(change: Change, count: number): string {
  const sentence = describeRunning(change, linksAfter(count));
  // All of these actions are nouns: "archiving", "deletion".
  return `تم: ${sentence}`;
}

/** "أرشفة 3 روابط" */
export function describeRunning(change: Change, what: string): string {
  switch (change.kind) {
    case "archive":
      return `${change.archived ? "أرشفة" : "إلغاء أرشفة"} ${what}`;
    case "disable":
      return `${change.disabled ? "تعطيل" : "تفعيل"} ${what}`;
    case "expire":
      return change.expiresAt === null
        ? `إزالة انتهاء ${what}`
        : `تحديد انتهاء ${what}: ${formatDay(change.expiresAt)}`;
    case "move":
      return `نقل ${what} إلى ${isolated(change.domain)}`;
    case "tag":
      return change.add.length > 0 ? `وسم ${what}: ${list(change.add)}` : `إزالة ${list(change.remove)} من ${what}`;
    case "delete":
    default:
      return `حذف ${what}`;
  }
}
