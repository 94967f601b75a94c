import { isOneOf, type Program, type Step, steps } from './max-match-length.ts';

/** The neighbours of a place in a text, as bits: an end of the text, a word character, a line break, or another character. */
const [edge, word, line, other] = [1, 2, 4, 8];
const anything = edge | word | line | other;
const kinds = [edge, word, line, other];

/** The engine's bits for what it requires between two characters. */
const required = { lineStart: 1, lineEnd: 2, textStart: 4, textEnd: 8, boundary: 16, noBoundary: 32 } as const;

/** The inclusive ranges of word characters. `\b` reads no others as such. */
const wordRanges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
] as const;
const lineBreak = 10;

const countShared = ([from, to]: readonly [number, number], low: number, high: number): number =>
  Math.max(0, Math.min(to, high) - Math.max(from, low) + 1);

const kindsOfRange = (from: number, to: number): number => {
  const words = wordRanges.reduce((sum, [low, high]) => sum + countShared([from, to], low, high), 0);
  const lines = countShared([from, to], lineBreak, lineBreak);
  return (words > 0 ? word : 0) | (lines > 0 ? line : 0) | (to - from + 1 > words + lines ? other : 0);
};

/** Returns the kinds of characters that a step matches. If case is ignored, letters have others beyond ASCII. */
const kindsOfStep = ({ op, arg, runes }: Step): number => {
  if (op === steps.anyCharacter) return word | line | other;
  if (op === steps.anyButLineBreak) return word | other;
  const ranges = Array.from(runes);
  if (ranges.length === 1) return kindsOfRange(ranges[0] ?? 0, ranges[0] ?? 0) | (arg === 0 ? 0 : word | other);
  let found = 0;
  for (let at = 0; at + 1 < ranges.length; at += 2) found |= kindsOfRange(ranges[at] ?? 0, ranges[at + 1] ?? 0);
  return found;
};

/** Returns what may follow, of `next`, if `before` precedes and the engine requires this between them. Zero if nothing may. */
const following = (before: number, needs: number, next: number): number => {
  const isAtWord = before === word;
  const mayBegin =
    ((needs & required.textStart) === 0 || before === edge) &&
    ((needs & required.lineStart) === 0 || before === edge || before === line);
  let left = mayBegin ? next : 0;
  if (needs & required.textEnd) left &= edge;
  if (needs & required.lineEnd) left &= edge | line;
  if (needs & required.boundary) left &= isAtWord ? ~word : word;
  if (needs & required.noBoundary) left &= isAtWord ? word : ~word;
  return left;
};

/**
 * Whether there is a text that the program matches. False for `a^`, `$a`, `a\bb` and `[^\s\S]`. True if that is not certain.
 */
export const canMatch = (program: unknown): boolean => {
  const { start, inst } = program as Program;
  const seen = new Set<number>();
  const open: { readonly at: number; readonly before: number; readonly next: number }[] = [];

  const add = (at: number, before: number, next: number): void => {
    const key = (at * (anything + 1) + before) * (anything + 1) + next;
    if (next === 0 || seen.has(key)) return;
    seen.add(key);
    open.push({ at, before, next });
  };

  for (const before of kinds) add(start, before, anything);
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const { at, before, next } = state;
    const step = inst[at];
    if (step === undefined || step.op === steps.match) return true;
    if (isOneOf(steps.alternatives, step.op)) add(step.arg, before, next);
    if (isOneOf(steps.alternatives, step.op) || isOneOf(steps.silent, step.op)) add(step.out, before, next);
    else if (step.op === steps.between) add(step.out, before, following(before, step.arg, next));
    else if (isOneOf(steps.characters, step.op)) {
      const matched = kindsOfStep(step) & next;
      for (const kind of kinds) if (matched & kind) add(step.out, kind, anything);
    } else if (step.op !== steps.fail) return true;
  }
  return false;
};
