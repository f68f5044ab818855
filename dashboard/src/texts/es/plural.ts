import { formatCount } from "../../lib/format.ts";

/** 1 clic, 1234 clics */
export const plural = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

export const links = (count: number): string => plural(count, "enlace", "enlaces");
