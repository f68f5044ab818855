const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Control characters that turn the direction of all text after them. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Escapes a text for HTML, XML and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(BIDI_CONTROLS, "").replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
