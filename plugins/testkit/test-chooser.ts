import { errorText } from '../../schema/text/error-text.ts';
import type { Chooser, ChooserDefinition, ChooserDraw, ChooserOutcome, ChooserTarget } from '../sdk/chooser/chooser.ts';
import { refuseErrors } from './errors/reasons.ts';

/** A situation, and the shares that its targets should get. */
export interface ChooserCase {
  readonly targets: readonly Partial<Omit<ChooserTarget, 'index'>>[];
  /** Outcomes that the chooser hears first, in order. Each belongs to the target with its index. */
  readonly heard?: readonly (Partial<Omit<ChooserOutcome, 'header'>> & {
    readonly index: number;
    /** Headers by their names in lower case. */
    readonly headers?: Readonly<Record<string, string>>;
    /** The milliseconds that pass before it. */
    readonly afterMs?: number;
  })[];
  /** The minimum share of a thousand requests that each target gets, from 0 to 1. */
  readonly shares: readonly number[];
}

const requests = 1000;

/** Draws that are the same in each run (a linear congruential generator). */
const createDraw = (): ChooserDraw => {
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    pick(weights) {
      const sum = weights.reduce((total, weight) => total + weight, 0);
      let left = next() * sum;
      const found = weights.findIndex((weight) => {
        left -= weight;
        return weight > 0 && left < 0;
      });
      return found < 0 ? weights.findLastIndex((weight) => weight > 0) : found;
    },
    between: (from, to) => from + next() * (to - from),
  };
};

const toTarget = (given: ChooserCase['targets'][number], index: number): ChooserTarget => ({
  ...{ index, weight: 1, provider: 'openai', inFlight: 0 },
  ...given,
});

type Heard = NonNullable<ChooserCase['heard']>[number];

const toOutcome = ({ headers = {}, status = 200, origin = 'upstream', answeredMs = 100 }: Heard): ChooserOutcome => ({
  ...{ status, origin, answeredMs },
  header: (name) => headers[name],
});

/** Unusual outcomes on which no chooser may fail. */
const oddAnswers: readonly Heard[] = [
  { index: 0, status: 503, answeredMs: 0 },
  { index: 1, status: 408, origin: 'timeout', answeredMs: Number.MAX_SAFE_INTEGER },
  { index: 0, status: 502, origin: 'network' },
  { index: 63, status: 200 },
  ...['', '-1', 'NaN', '1e999', '99999999999999999999', 'soon'].map((text) => ({
    ...{ index: 0, status: 429 },
    headers: { 'retry-after': text, 'x-ratelimit-limit-requests': text, 'x-ratelimit-remaining-requests': text },
  })),
];

const places = (chooser: Chooser, targets: readonly ChooserTarget[]): readonly number[] => {
  const draw = createDraw();
  return Array.from({ length: requests }, (_, at) =>
    chooser.choose(targets, { tokens: at * 100, needs: ['chat'] }, draw),
  );
};

const stray = (chosen: readonly number[], targets: readonly ChooserTarget[]): readonly string[] => {
  const wrong = chosen.find((place) => targets[place] === undefined);
  return wrong === undefined ? [] : [`it chose position ${wrong} of ${targets.length} targets`];
};

const caseErrors = (
  definition: ChooserDefinition,
  { targets: given, heard = [], shares }: ChooserCase,
): readonly string[] => {
  let now = 0;
  const chooser = definition.create({ monotonic: () => now, wall: () => Date.UTC(2030, 0, 1) + now });
  for (const each of heard) {
    now += each.afterMs ?? 0;
    chooser.heard(each.index, toOutcome(each));
  }
  const targets = given.map(toTarget);
  const chosen = places(chooser, targets);
  const wrong = stray(chosen, targets);
  if (wrong.length > 0) return wrong;
  return shares.flatMap((min, at) => {
    const share = chosen.filter((place) => place === at).length / requests;
    return share >= min ? [] : [`target ${at} gets ${share} of the requests, but at least ${min} was expected`];
  });
};

const contract: readonly ChooserCase[] = [
  { targets: [{}, {}], shares: [] },
  { targets: [{ weight: 1, inFlight: 1000 }, { weight: 1_000_000 }, { price: 0 }], heard: oddAnswers, shares: [] },
  // The available targets differ between requests, but keep their indexes.
  { targets: Array.from({ length: 64 }, () => ({})), heard: oddAnswers, shares: [] },
];

/**
 * Tests a chooser: it must choose one of its targets whatever outcomes it has heard, and meet the expectations of each case.
 * Throws an `Error` that lists every error.
 */
export const testChooser = (definition: ChooserDefinition, cases: readonly ChooserCase[] = []): void => {
  const named = [
    ...contract.map((each) => ['a chooser must choose one of its targets', each] as const),
    ...cases.map((each, at) => [`case ${at}`, each] as const),
  ];
  refuseErrors(
    `The chooser "${definition.id}"`,
    named.flatMap(([name, each]) => {
      try {
        return caseErrors(definition, each).map((error) => `${name}: ${error}`);
      } catch (error) {
        return [`${name}: it throws ${errorText(error)}`];
      }
    }),
  );
};
