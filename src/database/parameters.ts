export type Value = string | number | ArrayBuffer | null;

/** A condition in SQL. Its values are added to the parameters of the statement. */
export type Condition = (parameters: Parameters) => string;

export const ALWAYS: Condition = () => "true";

/** Holds if all conditions hold. */
export function allOf(...conditions: Condition[]): Condition {
  return (parameters) => conditions.map((condition) => `(${condition(parameters)})`).join(" AND ");
}

/** Holds if one of the conditions holds. */
export function anyOf(...conditions: Condition[]): Condition {
  return (parameters) => `(${conditions.map((condition) => `(${condition(parameters)})`).join(" OR ")})`;
}

/** Holds if the condition does not hold. */
export function not(condition: Condition): Condition {
  return (parameters) => `NOT (${condition(parameters)})`;
}

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
