export const MAX_NOTES_PER_ACCOUNT = 500;

export const MAX_NOTE_CHARS = 500;
