/** Characters that no format of pictures can have, or that would be a line of their own. */
const unusable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;

/** East Asian characters and emoji take the room of two. */
const isWide = (character: string): boolean =>
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
    character,
  );

/** One line of at most so many columns, in which every character can be drawn. */
export const cutText = (text: string, columns: number): string => {
  let width = 0;
  let cut = '';
  // A text may be much longer than what is shown of it.
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
