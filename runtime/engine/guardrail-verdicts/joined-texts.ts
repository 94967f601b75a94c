import type { TextSpan } from '../../../plugins/sdk/dialect/dialect.ts';

/** Kinds of pieces that are beside the texts of a choice and do not divide them. */
const beside: ReadonlySet<TextSpan['kind']> = new Set(['citation', 'other']);

const endsInWord = /[\p{L}\p{N}_]$/u;
const beginsWithWord = /^[\p{L}\p{N}_]/u;

/** Whether a word would continue from one text to the next if they were read as one. */
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

/** Returns the pieces of an answer in order, each grouped with the texts that continue it. */
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
 * Returns the pieces of an answer as clients read them: consecutive texts of a choice are joined, and for a client that receives
 * them joined, all of them are. If that joins two words, each text is judged by itself as well.
 */
export const joinedTexts = (spans: readonly TextSpan[], joinsAll: boolean): readonly TextSpan[] => {
  const runs = toRuns(spans, joinsAll);
  return runs.length === spans.length ? spans : [...runs.flatMap(asOne), ...runs.flatMap(apart)];
};

/**
 * Returns the list of a turn's parts that contains a text, with its kind. Undefined if it is inside a part, as a file is. Members
 * that a format does not document, such as the type and the data of an unknown part, are not one text, so each has its own list.
 */
const findList = ({ at, kind }: TextSpan): string | undefined => {
  const tokens = at.split('/').slice(1);
  // A system prompt is itself a list of parts. Every other list at the top level is a list of turns.
  const inTurn = tokens[0] === 'system' ? 1 : 2;
  const index = tokens.findLastIndex((token) => /^\d+$/.test(token));
  if (index < inTurn || index < tokens.length - 2) return undefined;
  const member = kind === 'other' ? tokens.slice(index + 1) : [];
  return [kind, ...tokens.slice(0, index), ...member].join('/');
};

/** A text continues across a line break as it does across pieces, which are judged one per line. */
const isDivided = (before: TextSpan, after: TextSpan): boolean => /\n$/.test(before.text) || /^\n/.test(after.text);

/** Returns the parts of each turn whose texts models may read as one, whatever comes between them. */
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

/** Returns the pieces of a request, each by itself, followed by the joined texts that models may read as one. */
export const joinedParts = (spans: readonly TextSpan[]): readonly TextSpan[] => {
  if (spans.length < 2) return spans;
  const runs = partRuns(spans);
  if (runs.length === 0) return spans;
  return [...spans, ...runs.flatMap(asOne).map((joined): TextSpan => ({ ...joined, kind: 'other' }))];
};
