export type Value = string | number | ArrayBuffer | null;

/** A condition in SQL. Its values are added to the parameters of the statement. */
export type Condition = (parameters: Parameters) => string;

/**
 * A condition, written as its SQL. What is put into the text is a value, which is bound, or another condition:
 * `holds\`id = ${id} AND ${isAllowed}\``. A function without parameters puts its SQL there.
 */
export function holds(sql: TemplateStringsArray, ...holes: readonly (Value | Condition)[]): Condition {
  return (parameters) => {
    const texts = holes.map((hole) => (typeof hole === "function" ? hole(parameters) : parameters.add(hole)));
    return String.raw({ raw: sql }, ...texts);
  };
}

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
  return holds`NOT (${condition})`;
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
