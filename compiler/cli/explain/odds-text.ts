import type { JsonObject } from '../../../schema/json/json.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { alignColumns } from '../../../schema/text/align-columns.ts';
import { formatList } from '../../../schema/text/format-list.ts';
import { printable } from '../../../schema/text/printable.ts';
import { nanoPerUsd } from '../../../schema/usage/usage-record.ts';
import { oddsLimits } from '../../reliability/odds-limits.ts';
import { formatRational, type Rational, toNumber } from '../../semantics/rational.ts';
import { formatPrice } from './describe-model.ts';
import type { KindOdds, OddsOfKinds } from './odds-of-kinds.ts';
import type { OddsRequest } from './read-odds.ts';
import { formatDuration } from './words.ts';

const significant = (value: number, digits: number): string => String(Number(value.toPrecision(digits)));

const percent = (share: Rational): string => {
  const value = toNumber(share) * 100;
  if (share.numerator > 0n && value < 1e-4) return 'less than 0.0001 %';
  const shown = significant(value, 6);
  // Anything less than certain is not shown as 100 %.
  return `${shown === '100' && share.numerator < share.denominator ? '99.9999' : shown} %`;
};

const duration = (ms: Rational): string => formatDuration(toNumber(ms));

const usd = (nanoUsd: Rational): string => formatPrice(toNumber(nanoUsd));

const leafRows = ({ odds: { leaves } }: KindOdds, { targets }: Pick<RoutingPlan, 'targets'>): readonly string[] => {
  const rows = leaves.map(({ leaf, reached, answers, calls }) => [
    targets[leaf.target]?.id ?? '',
    percent(reached),
    percent(answers),
    significant(toNumber(calls), 4),
  ]);
  const table = [['target', 'is reached', 'answers', 'calls'], ...rows];
  return alignColumns(table).map((row) => `    ${row}`);
};

const kindLines = (kind: KindOdds, plan: Pick<RoutingPlan, 'targets'>): readonly string[] => {
  const { conditions, odds, worst, nanoUsd } = kind;
  const title = conditions.map(({ path, when }) => `${when} (${path})`);
  const cost = [
    ...(nanoUsd === undefined ? [] : [`${usd(nanoUsd)} expected`]),
    ...(worst.nanoUsd === undefined ? [] : [`at most ${formatPrice(worst.nanoUsd)}`]),
  ];
  return [
    ...(title.length === 0 ? [] : [`  requests where ${title.join(', and ')}`]),
    `    ${percent(odds.served)} are answered with a success`,
    `    calls: ${significant(toNumber(odds.calls), 4)} expected, at most ${worst.calls}`,
    `    waits: ${duration(odds.waitMs)} expected, an answer begins within ${formatDuration(worst.waitMs)}`,
    ...(cost.length === 0 ? [] : [`    cost: ${formatList(cost)}`]),
    ...leafRows(kind, plan),
    ...odds.limits.map((limit) => `    ${oddsLimits[limit]}`),
    '',
  ];
};

const describeFailures = ({ failures }: OddsRequest): string => {
  const parts = [...failures].flatMap(([id, { probability, outcome, isLate }]) =>
    probability.numerator === 0n
      ? []
      : [
          `${percent(probability)} of the calls of ${id} ${isLate ? 'end at its time-out' : `fail (${outcome.status})`}`,
        ],
  );
  return parts.length === 0 ? 'if every call is answered' : `if ${formatList(parts)}`;
};

/** Formats the odds of a plan as text; ends with a newline. */
export const oddsText = (
  plan: Pick<RoutingPlan, 'targets'>,
  { kinds, isCut }: OddsOfKinds,
  asked: OddsRequest,
): string =>
  [
    `the odds of one request, ${describeFailures(asked)}`,
    ...kinds.flatMap((kind) => kindLines(kind, plan)),
    ...(isCut ? ['  Conditionals distinguish more kinds of requests than are listed here.', ''] : []),
  ]
    .map(printable)
    .join('\n');

const shareJson = (share: Rational): JsonObject => ({ exact: formatRational(share), value: toNumber(share) });

const kindJson = (
  { conditions, odds, worst, nanoUsd }: KindOdds,
  { targets }: Pick<RoutingPlan, 'targets'>,
): JsonObject => ({
  conditions: conditions.map(({ path, when }) => ({ path, when })),
  served: shareJson(odds.served),
  calls: { expected: shareJson(odds.calls), worst: worst.calls },
  waitMs: { expected: shareJson(odds.waitMs), worst: worst.waitMs },
  usd: {
    expected: nanoUsd === undefined ? null : toNumber(nanoUsd) / nanoPerUsd,
    worst: worst.nanoUsd === undefined ? null : worst.nanoUsd / nanoPerUsd,
  },
  leaves: odds.leaves.map(({ leaf, reached, answers, calls }) => ({
    ...{ path: leaf.path, target: targets[leaf.target]?.id ?? '' },
    ...{ reached: shareJson(reached), answers: shareJson(answers), calls: shareJson(calls) },
  })),
  limits: odds.limits.map((limit) => ({ limit, why: oddsLimits[limit] })),
});

/** Does the same as JSON. */
export const oddsJson = (
  plan: Pick<RoutingPlan, 'targets'>,
  { kinds, isCut }: OddsOfKinds,
  { failures, tokens }: OddsRequest,
): JsonObject => ({
  failures: [...failures].map(([target, { probability, outcome }]) => ({
    ...{ target, probability: formatRational(probability), status: outcome.status, origin: outcome.origin },
  })),
  tokens: tokens === undefined ? null : { input: tokens.input, output: tokens.output },
  kinds: kinds.map((kind) => kindJson(kind, plan)),
  isComplete: !isCut,
});
