/**
 * Control characters, bidirectional marks, invisible characters and lone surrogates, with which a text from logs could look
 * like a different text. A joiner between two emoji is allowed, because it combines them.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to make visible.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each stands alone.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffc]|\p{Cs}|[\u{e0000}-\u{e0fff}]|(?<![\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

export interface TextPiece {
  readonly text: string;
  readonly isHidden: boolean;
}

const toName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Splits a text into pieces that can be shown as they are, and the names (`U+202E`) of characters that cannot. */
export const splitHidden = (text: string): readonly TextPiece[] => {
  const pieces: TextPiece[] = [];
  let last = 0;
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (index > last) pieces.push({ text: text.slice(last, index), isHidden: false });
    pieces.push({ text: toName(character), isHidden: true });
    last = index + character.length;
  }
  if (last < text.length) pieces.push({ text: text.slice(last), isHidden: false });
  return pieces;
};

/** Matches texts without any of these characters. Nearly all texts match. */
const plain = /^[\n\t\u0020-\u007e\u00a1-\u00ac\u00ae-\u017f]*$/;

/** Replaces characters that cannot be shown by their names, where only text is allowed, as in options and names of elements. */
export const revealHidden = (text: string): string =>
  plain.test(text)
    ? text
    : splitHidden(text)
        .map((piece) => piece.text)
        .join('');
