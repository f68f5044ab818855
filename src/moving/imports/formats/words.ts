/** Words of cells in the languages of spreadsheets, as {@link isWord} compares them. */
const setOf = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(" ")).map(toKey));

function toKey(word: string): string {
  return word.normalize("NFC").toLowerCase();
}

/** Whether the text is one of the words, whatever its case is. */
function isWord(text: string, words: ReadonlySet<string>): boolean {
  return words.has(toKey(text));
}

/** What spreadsheets, databases and people write for yes. `t` is PostgreSQL's, `-1` that of Access. */
const YES = setOf(
  "true t yes y on 1 -1 1.0 1,0 x ✓ ✔ ☑ ✅ ○",
  // German, French, Spanish, Portuguese, Italian, Dutch, Catalan, Basque
  "wahr ja j ein an vrai oui verdadero sí si verdadeiro sim vero sì waar aan cert egia bai",
  // Polish, Czech, Slovak, Slovenian, Croatian, Hungarian, Romanian, Lithuanian, Latvian, Estonian
  "prawda tak pravda ano áno da resnično istina točno igaz igen adevărat adevarat tiesa taip patiess patiesi jā tõene jah",
  // Swedish, Danish, Norwegian, Finnish, Turkish, Greek
  "sant sann sand tosi kyllä doğru evet αληθής αληθης ναι",
  // Russian, Ukrainian, Bulgarian
  "истина да істина так вярно",
  // Arabic, Hebrew, Persian, Hindi
  "صحيح صواب نعم אמת כן درست بله सत्य सही हाँ हां",
  // Chinese, Japanese, Korean, Vietnamese, Thai, Indonesian
  "真 是 对 對 はい 참 예 네 đúng có จริง ใช่ benar ya",
);

/** What they write for no. */
const NO = setOf(
  "false f no n off 0 0.0 0,0 ✗ ✘ ✖ ❌ ☐ ×",
  "falsch nein aus faux non falso não nao onwaar nee uit fals faltsua ez",
  "fałsz falsz nie nepravda ne neresnično neistina laž netočno hamis nem nu netiesa klaidinga aplams nē väär vale ei",
  "falskt falsk nej usann nei epätosi yanlış yanliş hayır hayir ψευδής ψευδης όχι οχι",
  "ложь нет хибність хиба ні невярно не",
  "خطأ خاطئ لا שקר לא نادرست خیر نه असत्य ग़लत गलत नहीं",
  "假 否 错 錯 偽 いいえ 거짓 아니요 아니오 sai không เท็จ ไม่ ไม่ใช่ salah tidak",
);

/** What databases, spreadsheets and programs write where there is no value. */
const MISSING = setOf("null nil nan na n/a #n/a n.a. undefined - -- – — ? \\n");

/** What people write where a time, a number or an address is missing, besides what is nothing in any column. */
const NONE = setOf(
  "none never no unlimited infinite ∞",
  "nie niemals nein kein keine keiner unbegrenzt jamais aucun aucune illimité nunca ninguno ninguna sin nada ilimitado",
  "nenhum nenhuma mai nessuno nessuna illimitato nooit geen onbeperkt nigdy brak žádný nikdy aldrig ingen aldri",
  "никогда нет неограниченно ніколи немає أبدا أبدًا لا لايوجد なし 無し 无 無 永不 从不 없음",
);
const NO_SENTENCES = new Set(["no expiry", "no expiration", "does not expire", "no limit", "not set", "لا يوجد"]);
/** What MySQL and Go have for no time. */
const ZERO_TIME = /^000[01]-(?:00-00|01-01)(?:[T ]00:00(?::00(?:\.0+)?)?)?Z?$/;

/** The parentheses and brackets around a word for nothing. */
const AROUND = /^[([<]([^()[\]<>]+)[)\]>]$/;

function bare(text: string): string {
  return AROUND.exec(text)?.[1] ?? text;
}

/** Whether a cell says yes or no; null: it says something else. `byDefault` is what a missing value says. */
export function readFlag(text: string, byDefault = false): boolean | null {
  if (isWord(text, YES)) return true;
  if (isWord(bare(text), MISSING)) return byDefault;
  return isWord(text, NO) || isNone(text) ? false : null;
}

/** Whether the text of a cell for a time, a number or an address says that there is none. */
export function isNone(text: string): boolean {
  const word = bare(text);
  return isWord(word, MISSING) || isWord(word, NONE) || NO_SENTENCES.has(toKey(word)) || ZERO_TIME.test(text);
}

const STATES = {
  active: setOf(
    "active enabled live published public online open ok valid normal on yes true 1 200",
    "aktiv actif activo activa ativo ativa attivo attiva actief aktywny aktywna aktywne нормально активен активна активно",
    "نشط 有効 启用 啟用 활성",
  ),
  disabled: setOf(
    "disabled inactive paused suspended off false 0 hidden",
    "deaktiviert inaktiv pausiert désactivé désactivée inactif inactivo inactiva desactivado desactivada pausado",
    "desativado desativada inativo inativa disattivato disabilitato inattivo uitgeschakeld inactief gepauzeerd",
    "wyłączony wyłączone nieaktywny nieaktywne wstrzymany отключен отключена неактивен معطل معطّل 無効 停用 禁用 비활성",
  ),
  archived: setOf(
    "archived archiviert archivé archivée archivado archivada arquivado arquivada archiviato gearchiveerd",
    "zarchiwizowany zarchiwizowane архив مؤرشف アーカイブ済み 已归档",
  ),
  dead: setOf(
    "deleted dead banned blocked removed",
    "gelöscht gesperrt entfernt supprimé supprimée bloqué bloquée eliminado eliminada borrado borrada bloqueado bloqueada",
    "excluído excluída apagado removido eliminato cancellato bloccato verwijderd geblokkeerd usunięty usunięte zablokowany",
    "удален удалён удалена заблокирован محذوف محظور 削除済み 削除 已删除 삭제됨",
  ),
};
type State = keyof typeof STATES;

/** What a word says of the state of a link; null: the word is not known. */
export function readState(text: string): State | null {
  const found = Object.entries(STATES).find(([, words]) => isWord(text, words));
  return (found?.[0] ?? null) as State | null;
}
