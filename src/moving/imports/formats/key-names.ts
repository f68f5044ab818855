import { TokenType, type TokenParser } from "@streamparser/json";

type Token = Parameters<TokenParser["write"]>[0];

interface Level {
  /** The names of an object so far, each with the number of the last one like it; null: of an array. */
  names: Map<string, number> | null;
  /** Whether a text would be a name. */
  isBeforeName: boolean;
}

/**
 * Gives a name that an object has twice a number, such as `url (2)`: the parser would keep the last value, and forget the others
 * without a word.
 */
export class KeyNames {
  /** The first name that was given twice; null: none was. */
  repeated: string | null = null;
  readonly #open: Level[] = [];

  /** The token as the parser is to read it. */
  rename(token: Token): Token {
    const level = this.#open.at(-1);
    const isObject = token.token === TokenType.LEFT_BRACE;
    if (isObject || token.token === TokenType.LEFT_BRACKET)
      this.#open.push({ names: isObject ? new Map() : null, isBeforeName: isObject });
    else if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) this.#open.pop();
    else if (level === undefined || level.names === null) return token;
    else if (token.token === TokenType.COMMA) level.isBeforeName = true;
    else if (token.token === TokenType.STRING && level.isBeforeName) {
      level.isBeforeName = false;
      return { ...token, value: this.#unique(String(token.value), level.names) };
    }
    return token;
  }

  #unique(name: string, names: Map<string, number>): string {
    let number = names.get(name);
    let unique = name;
    if (number !== undefined) {
      this.repeated ??= name;
      do unique = `${name} (${++number})`;
      while (names.has(unique));
      names.set(name, number);
    }
    names.set(unique, 1);
    return unique;
  }
}
