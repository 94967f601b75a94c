/** The places at which a text occurs in another, in order. */
export function* marksIn(text: string, mark: string): Generator<number> {
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) yield at;
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** Whether a word could go on here, so that what begins here is only a part of one. */
export const followsWord = (text: string, at: number): boolean => at > 0 && wordCharacter.test(text.charAt(at - 1));
