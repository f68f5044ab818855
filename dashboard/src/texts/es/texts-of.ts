/** The texts of another language: the same names and arguments, other words. */
export type TextsOf<T> = T extends string
  ? string
  : T extends (...input: infer Input) => string
    ? (...input: Input) => string
    : T extends object
      ? { [Name in keyof T]: TextsOf<T[Name]> }
      : T;
