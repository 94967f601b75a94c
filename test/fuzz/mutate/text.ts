import type { Random } from '../support/random.ts';

const pieces: readonly string[] = ['"', '\\', '{', '}', '[', ',', '\n', '\r', '\0', '\ud800', '\udc00', '\ufeff', '🎉'];

/** Changes, cuts, adds or doubles a character of a text. */
export const oddText = (text: string, random: Random): string => {
  const at = random.below(text.length + 1);
  const head = text.slice(0, at);
  switch (random.below(5)) {
    case 0:
      return head;
    case 1:
      return text.slice(at);
    case 2:
      return head + random.pick(pieces) + text.slice(at);
    case 3:
      return head + random.pick(pieces) + text.slice(at + 1);
    default:
      return text.length > 10_000 ? head : text + text;
  }
};
