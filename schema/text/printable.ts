/** A text of others, such as the name of a file, without what a terminal would follow. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ');
