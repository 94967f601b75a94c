const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** What terminals draw two columns wide: the scripts of East Asia, and emoji. */
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.*\ufe0f)/u;
const zero = /^[\p{Mn}\p{Me}]+$/u;

const ascii = /^[\x20-\x7e]*$/;

const partWidth = (part: string): number => (zero.test(part) ? 0 : wide.test(part) ? 2 : 1);

/** How many columns of a terminal a printable text takes: what is read as one character counts once, a wide one twice. */
export const textWidth = (text: string): number =>
  ascii.test(text)
    ? text.length
    : [...graphemes.segment(text)].reduce((width, { segment }) => width + partWidth(segment), 0);

/** A printable text of at most so many columns; one that is cut ends with an ellipsis. */
export const cutText = (text: string, most: number): string => {
  if (textWidth(text) <= most) return text;
  let width = 0;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    width += partWidth(segment);
    if (width > most - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
};

/** A printable text, with spaces behind it up to so many columns. */
export const padText = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)));
