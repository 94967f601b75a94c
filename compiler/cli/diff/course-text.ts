import type { Mirror } from '../../../schema/plan/plan.ts';
import { formatList } from '../../../schema/text/format-list.ts';
import type { Move, State, Step } from '../../compare/behaviour.ts';
import type { OutcomeClass } from '../../compare/outcome-classes.ts';
import type { Rational } from '../../semantics/rational.ts';
import { formatDuration } from '../explain/words.ts';
import type { LeafLabel } from './call-labels.ts';
import { statusText } from './status-text.ts';

/** Formats a probability as a percentage of at most two decimals, or as an exact fraction. */
const shareText = ({ numerator, denominator }: Rational): string =>
  (numerator * 10_000n) % denominator === 0n
    ? `${Number((numerator * 10_000n) / denominator) / 100} %`
    : `${numerator}/${denominator}`;

export interface CourseOptions {
  readonly label: LeafLabel;
  readonly classes: readonly OutcomeClass[];
}

/** The lines of the states that were visited already, because several states may lead to one. */
interface Known extends CourseOptions {
  readonly lines: Map<State, readonly string[]>;
}

/** Further lines of one course are omitted. */
const maxLines = 40;

const isCertain = ({ numerator, denominator }: Rational): boolean => numerator === denominator;

const copyText = ({ percent, leaf }: Mirror, { label }: Known): string => `a copy of ${percent} % to ${label(leaf)}`;

/** Describes a state in one line, in brackets if it is more than one move. */
const innerText = (state: State, known: Known): string => {
  const text = courseLines(state, known)
    .map((line) => line.trim())
    .join('; ');
  const [only, ...others] = state.steps;
  return only?.move.kind === 'leaf' && others.length === 0 && !text.includes(';') ? text : `(${text})`;
};

const moveText = (move: Move, known: Known): string => {
  switch (move.kind) {
    case 'leaf':
      return known.label(move.leaf);
    case 'mirror': {
      const copies = (move.node.mirrors ?? []).map((mirror) => copyText(mirror, known));
      return `${innerText(move.inner, known)} with ${formatList(copies)}`;
    }
    case 'balance': {
      const { balance, sticky } = move.node;
      const branches = move.branches.map(
        (branch, index) =>
          `${innerText(branch, known)}${move.weights[index] === 1 ? '' : ` (weight ${move.weights[index]})`}`,
      );
      const by = [
        ...(balance ? [`chosen by ${balance}`] : []),
        ...(sticky ? [`kept by ${sticky.by} for ${sticky.ttlS} s`] : []),
      ];
      return `one of ${formatList(branches, 'or')}, ${formatList(by)}`;
    }
    case 'hedge':
    case 'continue': {
      const { hedge, continues } = move.node;
      const [first, second, ...others] = move.branches.map((branch) => innerText(branch, known));
      return [
        `${first}, then ${formatList([second ?? '', ...others].filter((text) => text !== ''))}`,
        ...(hedge
          ? [
              `the second also beside it after ${formatDuration(hedge.afterMs)}, for ${hedge.budgetPercent} % of requests at most`,
            ]
          : []),
        ...(continues === true ? ['a stream that breaks continues there'] : []),
      ].join(', ');
    }
  }
};

const byProbability = (a: Rational, b: Rational): number =>
  Number(b.numerator * a.denominator - a.numerator * b.denominator);

/** Sorts the moves by probability, the highest first. */
const sortedSteps = ({ steps }: State, known: Known): readonly Step[] =>
  steps
    .map((step) => ({ step, text: moveText(step.move, known) }))
    .sort((a, b) => byProbability(a.step.probability, b.step.probability) || (a.text < b.text ? -1 : 1))
    .map(({ step }) => step);

const firstLine = (state: State, known: Known): string => {
  const { answered, refused } = state;
  return [
    ...sortedSteps(state, known).map(({ move, probability }) =>
      [moveText(move, known), ...(isCertain(probability) ? [] : [shareText(probability)])].join(' '),
    ),
    ...(answered.numerator > 0n ? [`its answer${isCertain(answered) ? '' : ` ${shareText(answered)}`}`] : []),
    ...(refused.numerator > 0n ? [`422 of the gateway${isCertain(refused) ? '' : ` ${shareText(refused)}`}`] : []),
  ].join(', ');
};

/** Groups the answers after which a request continues by what it does next. */
const continuations = ({ then }: Step, { classes }: Known): readonly (readonly [State, string])[] => {
  const all = classes.flatMap(({ statuses }) => statuses).sort((a, b) => a - b);
  const byState = Map.groupBy(then.entries(), ([, { id }]) => id);
  return [...byState.values()].flatMap((entries): readonly (readonly [State, string])[] => {
    const [[, state] = []] = entries;
    if (state === undefined || isCertain(state.answered)) return [];
    return [
      [
        state,
        statusText(
          entries.flatMap(([index]) => classes[index]?.statuses ?? []),
          all,
        ),
      ],
    ];
  });
};

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

const continuationLines = (step: Step, known: Known): readonly string[] =>
  continuations(step, known).flatMap(([state, statuses]) => {
    const [first = '', ...others] = courseLines(state, known);
    return [`on ${statuses}: ${first}`, ...others];
  });

const ownLines = (state: State, known: Known): readonly string[] => {
  const steps = sortedSteps(state, known);
  const after = steps.map((step) => continuationLines(step, known));
  const [shared] = after;
  const isShared = after.every((lines) => lines.join('\n') === shared?.join('\n'));
  const below = isShared
    ? (shared ?? [])
    : steps.flatMap(({ move }, index) => {
        const lines = after[index] ?? [];
        return lines.length === 0 ? [] : [`after ${moveText(move, known)}`, ...indented(lines)];
      });
  return [firstLine(state, known), ...indented(below)];
};

/** Returns up to one line more than are shown, to indicate that there are more. */
const courseLines = (state: State, known: Known): readonly string[] => {
  const lines = known.lines.get(state) ?? ownLines(state, known).slice(0, maxLines + 1);
  known.lines.set(state, lines);
  return lines;
};

/** Describes a request from a state on, line by line: the first call, and below it the calls that follow its answers. */
export const courseText = (state: State, options: CourseOptions): readonly string[] => {
  const lines = courseLines(state, { ...options, lines: new Map() });
  return lines.length > maxLines ? [...lines.slice(0, maxLines), '…'] : lines;
};
