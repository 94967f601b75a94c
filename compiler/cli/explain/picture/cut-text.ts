/** Characters that some format of pictures cannot contain, or that would start a new line. */
const unusable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;

/** Whether a character, such as an East Asian one or an emoji, is as wide as two. */
const isWide = (character: string): boolean =>
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
    character,
  );

/** Cuts a text to one line of at most `columns` columns, in which every character can be drawn. */
export const cutText = (text: string, columns: number): string => {
  let width = 0;
  let cut = '';
  // A text may be much longer than the part that is shown.
  for (const character of text.slice(0, columns * 4).replace(unusable, '\uFFFD')) {
    const next = width + (isWide(character) ? 2 : 1);
    if (next > columns) {
      while (cut !== '' && width > columns - 1) {
        const last = [...cut].at(-1) ?? '';
        cut = cut.slice(0, -last.length);
        width -= isWide(last) ? 2 : 1;
      }
      return `${cut}…`;
    }
    cut += character;
    width = next;
  }
  return cut;
};
