/** A text of a table: what each finding fills in is left open. */
export const leftOpen = (text: string): string => text.replaceAll(/(?<!\$)\{\w+\}/g, '…');

/** The hint of a table as a list, which is empty where the hint is made for each finding. */
export const ownHint = (hint: string): readonly string[] => (/^\{\w+\}$/.test(hint) ? [] : [leftOpen(hint)]);
