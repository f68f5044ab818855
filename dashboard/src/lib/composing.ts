/** The key that browsers name while an input method takes the key. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Whether the key belongs to an input method, such as the Enter that chooses a Japanese word. Safari ends the composition before that
 * Enter, so that only the key code says it.
 */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === TAKEN_BY_INPUT_METHOD;
}
