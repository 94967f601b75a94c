import type { TextSpan } from '../../../plugins/sdk/dialect/dialect.ts';

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
  run.length > 1 && isOneWord(run) ? run.map((span) => ({ ...span, kind: 'other' })) : [];

/** The pieces of an answer in their order, each with the texts that go on from it. */
const toRuns = (spans: readonly TextSpan[], joinsAll: boolean): readonly (readonly TextSpan[])[] => {
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
  const runs = toRuns(spans, joinsAll);
  return runs.length === spans.length ? spans : [...runs.flatMap(asOne), ...runs.flatMap(apart)];
};

/** The list of a turn's parts of which a text is one, with its kind; undefined where it is inside of a part, as a file is. */
const findList = ({ at, kind }: TextSpan): string | undefined => {
  const tokens = at.split('/').slice(1);
  // A system prompt is a list of parts itself, and every other list at the top one of turns.
  const inTurn = tokens[0] === 'system' ? 1 : 2;
  const index = tokens.findLastIndex((token) => /^\d+$/.test(token));
  return index < inTurn || index < tokens.length - 2 ? undefined : [kind, ...tokens.slice(0, index)].join('/');
};

/** Between lines a text goes on as it does between pieces, which are judged one a line. */
const isDivided = (before: TextSpan, after: TextSpan): boolean => /\n$/.test(before.text) || /^\n/.test(after.text);

/** The parts of each turn whose texts models may read as one, whatever stands between them. */
const partRuns = (spans: readonly TextSpan[]): readonly (readonly TextSpan[])[] => {
  const runs: TextSpan[][] = [];
  const open = new Map<string, TextSpan[]>();
  for (const span of spans) {
    const list = span.isName === true ? undefined : findList(span);
    if (list === undefined) continue;
    const run = open.get(list);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && !isDivided(last, span)) run.push(span);
    else {
      const begun = [span];
      open.set(list, begun);
      runs.push(begun);
    }
  }
  return runs.filter(({ length }) => length > 1);
};

/** The pieces of a request, each by itself, and then those texts as well that models may read as one. */
export const joinedParts = (spans: readonly TextSpan[]): readonly TextSpan[] => {
  if (spans.length < 2) return spans;
  const runs = partRuns(spans);
  if (runs.length === 0) return spans;
  return [...spans, ...runs.flatMap(asOne).map((joined): TextSpan => ({ ...joined, kind: 'other' }))];
};
