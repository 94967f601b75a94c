/** Digits in groups, as written in a text. */
export interface GroupedDigits {
  readonly digits: string;
  readonly groups: number;
  readonly to: number;
}

const group = /\(?\d{1,15}\)?/y;
const gap = /[ .\u00A0\u2010-\u2013/-]{1,2}(?=\(?\d)|(?=\()|(?<=\))(?=\d)/y;

/**
 * Returns the groups of digits that start at a place, with at most two separators between them, as long as they have at most
 * `max` digits together. A group may be in brackets.
 */
export const groupedDigits = (text: string, at: number, max: number): GroupedDigits | undefined => {
  let digits = '';
  let groups = 0;
  let to = at;
  for (let next = at; ; ) {
    group.lastIndex = next;
    const found = group.exec(text)?.[0];
    if (found === undefined || digits.length + found.replaceAll(/\D/g, '').length > max) break;
    digits += found.replaceAll(/\D/g, '');
    groups += 1;
    to = next + found.length;
    gap.lastIndex = to;
    const between = gap.exec(text)?.[0];
    if (between === undefined) break;
    next = to + between.length;
  }
  return groups === 0 ? undefined : { digits, groups, to };
};
