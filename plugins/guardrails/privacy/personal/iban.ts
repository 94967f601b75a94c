import { remainder } from '../check-digits/remainder.ts';
import type { Detector, Finding } from '../search/finding.ts';
import { isWordAt } from '../search/word-borders.ts';
import { ibanLengths } from './iban-lengths.ts';

const begin = /(?<![\p{L}\p{N}_])[A-Z]{2}\d{2}(?=[ \u00A0-]?[A-Z0-9]{2})/giu;
const inside = /[A-Z0-9]/i;
const gap = /[ \u00A0-]/;

/** Returns where a run of this many letters and digits, with single gaps, ends. Undefined if a word continues there. */
const findEnd = (text: string, from: number, length: number): number | undefined => {
  let at = from;
  for (let seen = 0; seen < length; at += 1) {
    if (inside.test(text.charAt(at))) seen += 1;
    else if (!gap.test(text.charAt(at)) || gap.test(text.charAt(at - 1))) return undefined;
  }
  return isWordAt(text, at) ? undefined : at;
};

/** Whether the check digits of ISO 13616 are right. The text must contain only letters and digits. */
const isIban = (text: string): boolean => {
  const moved = text.toUpperCase().slice(4) + text.toUpperCase().slice(0, 4);
  return (
    remainder(
      moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
      97,
    ) === 1
  );
};

/** Finds international bank account numbers with the length of their country, in one piece or in groups. */
export const findIbans: Detector = (text) => {
  const found: Finding[] = [];
  for (const { index: from, 0: match } of text.matchAll(begin)) {
    const length = ibanLengths.get(match.slice(0, 2).toUpperCase());
    const to = length === undefined ? undefined : findEnd(text, from, length);
    if (to !== undefined && isIban(text.slice(from, to).replaceAll(/[^A-Z0-9]/gi, '')))
      found.push({ kind: 'iban', from, to });
  }
  return found;
};
