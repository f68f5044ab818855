export type Value = string | number | ArrayBuffer | null;

/** The bound values of one SQL statement. */
export class Parameters {
  readonly values: Value[];

  constructor(values: readonly Value[] = []) {
    this.values = [...values];
  }

  /** Appends a value and returns its placeholder, such as `?3`. */
  add(value: Value): string {
    return `?${this.values.push(value)}`;
  }
}
