export const person = {};
