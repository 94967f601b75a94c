/** Returns a text from outside, such as a file name, without characters that a terminal would interpret. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ');
