/** How many values a card shows. The others are in a dialog. */
export const SHOWN_VALUES = 8;
