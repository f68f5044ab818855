/** What a mail says. */
export interface LetterTexts {
  subject: string;
  paragraphs: string[];
  /** Of its link, if it has one. */
  label?: string;
}
