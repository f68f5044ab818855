/** What a job does to a tag, as it is stored and shown. */
export interface TagInput {
  /** The tag, as the request named it. */
  tag: string;
  /** The new name; null: the tag is removed. */
  name: string | null;
}

export function parseInput(input: string): TagInput {
  return JSON.parse(input) as TagInput;
}
