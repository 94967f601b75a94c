import type { TextSpan } from '../../plugins/sdk/dialect.ts';
import { rootPointer } from '../../schema/pointer.ts';

/** Kinds of pieces that stand beside the texts of a choice, and do not divide them. */
const beside: ReadonlySet<TextSpan['kind']> = new Set(['citation', 'other']);

const endsInWord = /[\p{L}\p{N}_]$/u;
const beginsWithWord = /^[\p{L}\p{N}_]/u;

/** Whether a word would go on from one text to the next, if they were read as one. */
export const joinsWords = (before: string, after: string): boolean =>
  endsInWord.test(before) && beginsWithWord.test(after);

const isOneWord = (run: readonly TextSpan[]): boolean =>
  run.some(({ text }, at) => at > 0 && joinsWords(run[at - 1]?.text ?? '', text));

const asOne = (run: readonly TextSpan[]): readonly TextSpan[] => {
  const [first, ...rest] = run;
  if (first === undefined || rest.length === 0) return run;
  let from = first.text.length;
  const further = rest.map(({ at, text }) => {
    const place = { at, from };
    from += text.length;
    return place;
  });
  return [{ ...first, text: run.map(({ text }) => text).join(''), further }];
};

const apart = (run: readonly TextSpan[]): readonly TextSpan[] =>
  run.length > 1 && isOneWord(run) ? run.map((span) => ({ ...span, at: rootPointer, kind: 'other' })) : [];

/** The pieces of an answer in their order, each with the texts that go on from it. */
const runsOf = (spans: readonly TextSpan[], joinsAll: boolean): readonly (readonly TextSpan[])[] => {
  const runs: TextSpan[][] = [];
  const open = new Map<number | undefined, TextSpan[]>();
  for (const span of spans) {
    const { kind, choice } = span;
    const known = kind === 'text' ? open.get(choice) : undefined;
    if (known !== undefined) {
      known.push(span);
      continue;
    }
    const run = [span];
    runs.push(run);
    if (kind === 'text') open.set(choice, run);
    else if (!joinsAll && !beside.has(kind)) open.delete(choice);
  }
  return runs;
};

/**
 * The pieces of an answer as clients read them: texts of a choice that follow each other are one, and for a client that is
 * given them joined all of them are. Where that makes one word of two, each is judged by itself as well.
 */
export const joinedTexts = (spans: readonly TextSpan[], joinsAll: boolean): readonly TextSpan[] => {
  const runs = runsOf(spans, joinsAll);
  return runs.length === spans.length ? spans : [...runs.flatMap(asOne), ...runs.flatMap(apart)];
};

/** Where a part stands in its turn: the list of parts, its number, and its text; undefined where there are no parts. */
const partOf = ({ at }: TextSpan): { readonly list: string; readonly index: number } | undefined => {
  const [, turns, turn, ...inTurn] = at.split('/');
  const index = inTurn.findLastIndex((token) => /^\d+$/.test(token));
  if (index === -1) return undefined;
  const list = [turns, turn, ...inTurn.with(index, '*')].join('/');
  return { list, index: Number(inTurn[index]) };
};

const followsInTurn = (before: TextSpan, after: TextSpan): boolean => {
  const first = partOf(before);
  const second = partOf(after);
  if (first === undefined || second === undefined || before.kind !== after.kind) return false;
  return first.list === second.list && second.index === first.index + 1 && joinsWords(before.text, after.text);
};

/**
 * The pieces of a request as models read them: where a word goes on from one part of a turn to the next, they are one, and
 * each is judged by itself as well.
 */
export const joinedParts = (spans: readonly TextSpan[]): readonly TextSpan[] => {
  const runs: TextSpan[][] = [];
  for (const span of spans) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && followsInTurn(last, span)) run.push(span);
    else runs.push([span]);
  }
  return runs.length === spans.length ? spans : [...runs.flatMap(asOne), ...runs.flatMap(apart)];
};
