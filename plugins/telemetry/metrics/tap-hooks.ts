import type { Outcome } from '../../../schema/http/status.ts';
import { toOptionPath } from '../../../schema/json/pointer.ts';
import { keyFailure } from '../../../schema/plan/circuits/key-cooling.ts';
import { nanoPerUsd } from '../../../schema/usage/usage-record.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import { findTargetWithOwnCredential } from '../../sdk/exchange/own-credential.ts';
import { callersName, servedNames } from '../../sdk/exchange/served-names.ts';
import type { Hooks } from '../../sdk/hooks/hooks.ts';
import type { GatewayResponse, StreamEnd } from '../../sdk/http/http.ts';
import { toEndpoint } from '../to-endpoint.ts';
import type { GatewayFamilies } from './gateway-families.ts';
import { eachTokenSort } from './token-sorts.ts';

export interface TapOptions {
  /** Returns milliseconds of the clock of `startedAt`. */
  readonly now: () => number;
  /**
   * For which answers tokens and costs are counted. `known`: those whose usage something else needs. `all`: all, each of which is
   * then parsed for it, and streams are requested to report usage. `none`: none.
   */
  readonly tokens: 'known' | 'all' | 'none';
}

const name = 'gatewright/metrics';

const statusClasses: readonly string[] = ['0xx', '1xx', '2xx', '3xx', '4xx', '5xx'];
const statusClass = (status: number): string => statusClasses[Math.trunc(status / 100)] ?? 'other';

const cacheResults = {
  HIT: 'hit',
  'SEMANTIC HIT': 'semantic_hit',
  MISS: 'miss',
  'SEMANTIC MISS': 'semantic_miss',
  REFRESH: 'refresh',
  DISABLED: 'disabled',
} as const;

/** Returns the code of an error of the gateway, or otherwise where an error came from. Empty if there is no error. */
const toCause = ({ cause, status, origin }: GatewayResponse): string => cause ?? (status < 400 ? '' : origin);

const keyResult = (answer: Outcome): string => keyFailure(answer) ?? (answer.status < 400 ? 'served' : 'failed');

/** Counts what the hooks report. */
export const tapHooks = (hooks: Hooks, families: GatewayFamilies, { now, tokens }: TapOptions): void => {
  const toNames = servedNames();
  const {
    requests,
    durations,
    firstBytes,
    overheads,
    attempts,
    keyAttempts,
    refusedCredentials,
    tokens: used,
    costs,
    retries,
    fallbacks,
    hedges,
    circuits,
    probes,
    caches,
    verdicts,
    mirrors,
    streamFailures,
    refusedKeys,
    lastRefused,
  } = families;

  const completed = (response: GatewayResponse, exchange: Exchange, end: StreamEnd): void => {
    // A copy is not a client's request. Only its attempt, tokens, cost and outcome are counted.
    if (exchange.mirrorOf !== undefined) return;
    const names = toNames(exchange.plan);
    const endpoint = toEndpoint(exchange.route);
    const { leaf, status } = response;
    const { startedAt, labels, trail } = exchange;
    requests
      .at('plan', names.plan)
      .at('endpoint', endpoint)
      .at('status', statusClass(status))
      .at('cause', toCause(response)).cell.value += 1;
    if (startedAt !== undefined) {
      const at = now();
      durations
        .at('plan', names.plan)
        .at('endpoint', endpoint)
        .cell.observe((at - startedAt) / 1000);
      firstBytes
        .at('plan', names.plan)
        .at('endpoint', endpoint)
        .cell.observe(((labels?.answeredAt ?? at) - startedAt) / 1000);
    }
    if (leaf !== undefined && leaf.cache !== 'DISABLED')
      caches
        .at('plan', names.plan)
        .at('target', names.leaf(leaf.path).target)
        .at('result', cacheResults[leaf.cache]).cell.value += 1;
    if (end !== 'failed') return;
    for (const event of trail)
      if (event.kind === 'streamFailed')
        streamFailures
          .at('plan', names.plan)
          .at('target', names.leaf(event.path).target)
          .at('cause', event.cause).cell.value += 1;
  };

  hooks.completed.tap(name, completed);
  hooks.overheadMeasured.tap(name, (ms, { plan, route }) =>
    overheads
      .at('plan', toNames(plan).plan)
      .at('endpoint', toEndpoint(route))
      .cell.observe(ms / 1000),
  );
  hooks.attempted.tap(name, ({ target: id, key, status, origin }, { plan }) => {
    const names = toNames(plan);
    const { target, provider } = names.target(id);
    attempts
      .at('plan', names.plan)
      .at('target', target)
      .at('provider', provider)
      .at('status', statusClass(status))
      .at('origin', origin).cell.value += 1;
    if (key !== undefined)
      keyAttempts
        .at('plan', names.plan)
        .at('target', target)
        .at('key', String(key))
        .at('result', keyResult({ status, origin })).cell.value += 1;
    const failure = keyFailure({ status, origin });
    if ((failure === 'refused' || failure === 'spent') && findTargetWithOwnCredential(plan, id) !== undefined)
      refusedCredentials
        .at('plan', names.plan)
        .at('target', target)
        .at('provider', provider)
        .at('result', failure).cell.value += 1;
  });
  hooks.retried.tap(name, ({ path }, { plan }) => {
    const names = toNames(plan);
    retries.at('plan', names.plan).at('target', names.leaf(path).target).cell.value += 1;
  });
  hooks.fellBack.tap(name, ({ path }, { plan }) => {
    fallbacks
      .at('plan', toNames(plan).plan)
      .at('group', plan?.isCallers === true ? callersName : toOptionPath(path)).cell.value += 1;
  });
  hooks.hedgeEnded.tap(name, ({ path, result }, { plan }) => {
    hedges
      .at('plan', toNames(plan).plan)
      .at('group', plan?.isCallers === true ? callersName : toOptionPath(path))
      .at('result', result).cell.value += 1;
  });
  hooks.circuitChanged.tap(name, ({ path, of, to }, { plan }) => {
    const names = toNames(plan);
    circuits
      .at('plan', names.plan)
      .at('target', names.leaf(path).target)
      .at('circuit', of?.kind ?? 'target')
      .at('state', to).cell.value += 1;
  });
  hooks.probed.tap(name, ({ path, isUp }, { plan }) => {
    const names = toNames(plan);
    const result = isUp ? 'up' : 'down';
    probes.at('plan', names.plan).at('target', names.leaf(path).target).at('result', result).cell.value += 1;
  });
  hooks.mirrored.tap(name, ({ target: id, result }, { plan }) => {
    const names = toNames(plan);
    mirrors.at('plan', names.plan).at('target', names.target(id).target).at('result', result).cell.value += 1;
  });
  hooks.judged.tap(name, ({ phase, result }, { plan }) => {
    for (const { id, verdict, error } of result.checks) {
      const verdictLabel = verdict ? 'pass' : 'fail';
      const check = plan?.isCallers === true ? callersName : id;
      verdicts
        .at('check', check)
        .at('phase', phase)
        .at('verdict', error === undefined ? verdictLabel : 'error').cell.value += 1;
    }
  });
  hooks.keyRefused.tap(name, (refused) => {
    refusedKeys.cell.value += 1;
    lastRefused.note(refused);
  });
  if (tokens === 'none') return;
  if (tokens === 'known') hooks.usageWanted.tap(name, () => undefined);
  hooks.usageRecorded.tap(name, ({ target: id, usage }, { plan }) => {
    const hasTokens = usage.kind !== 'none';
    if (!hasTokens && usage.cost === undefined) return;
    const names = toNames(plan);
    const { target, provider } = names.target(id);
    if (hasTokens) {
      const sorts = used.at('plan', names.plan).at('target', target).at('provider', provider);
      eachTokenSort(usage, (sort, count) => {
        sorts.at('sort', sort).cell.value += count;
      });
    }
    if (usage.cost !== undefined)
      costs.at('plan', names.plan).at('target', target).at('provider', provider).cell.value +=
        usage.cost.nanoUsd / nanoPerUsd;
  });
};
