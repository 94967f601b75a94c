const characters = '0123456789ABCDEFHJKLMNPRSTUVWXY';

/** Whether the last character is the remainder of date and number divided by 31. A letter for the century is not included. */
export const findsCheckCharacter = (text: string): boolean => {
  const number = text.slice(0, 6) + text.slice(-4, -1);
  return characters[Number(number) % 31] === text.at(-1);
};
