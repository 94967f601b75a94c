import { dayMs } from '../../../schema/durations.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type JsonPointer, toOptionPath } from '../../../schema/json/pointer.ts';
import { formatUsd } from '../../../schema/text/format-usd.ts';
import { defineRoute } from '../../sdk/route/define-route.ts';
import { withPlace } from '../kernel/fairness/shared-pools.ts';
import type { ControlRoute } from '../kernel/requests/control-route.ts';
import { endBeforeStart, refuse, rejectNulCharacters } from '../kernel/requests/refusals.ts';
import { objectSchema, ok, orNull, seconds, text, titled } from '../kernel/requests/replies.ts';
import { resolveWorkspace } from '../kernel/requests/request-scope.ts';
import { toSeconds } from '../kernel/requests/to-seconds.ts';
import { type ArmSums, maxArms, sumArms } from './arm-sums.ts';
import type { LogParts } from './writer/log-store.ts';

const share = (part: number, of: number): number | null =>
  of === 0 ? null : Math.round((part / of) * 10_000) / 10_000;
const ms = (micros: number): number => Math.round(micros / 10) / 100;

const armView = (sums: ArmSums): JsonObject => {
  const { config, path, arm, provider, model, requests, errors, judged, passed, feedback } = sums;
  return {
    ...{ config, node: toOptionPath(path as JsonPointer), arm, provider, model, requests, errors },
    success_rate: share(requests - errors, requests),
    avg_ms: ms(requests === 0 ? 0 : sums.micros / requests),
    max_ms: ms(sums.most_micros),
    cost: formatUsd(sums.cost),
    nano_usd: String(sums.cost),
    unpriced: sums.unpriced,
    ...{ judged, passed, pass_rate: share(passed, judged), feedback },
    feedback_avg: sums.weights === 0 ? null : Math.round((sums.weighed / sums.weights) * 100) / 100,
  };
};

const count = { type: 'integer' } as const;
const rate = orNull({ type: 'number' });

const arm = titled(
  'UsageArm',
  objectSchema({
    config: text,
    node: { type: 'string', description: 'The place of the mirror in the config.' },
    arm: { type: 'string', enum: ['primary', 'mirror'], description: 'The requests of clients, or their copies.' },
    ...{ provider: text, model: text, requests: count },
    errors: { type: 'integer', description: 'Requests with a status of 400 or above.' },
    success_rate: rate,
    avg_ms: {
      type: 'number',
      description: 'Milliseconds until the answer, or until the first content of a stream.',
    },
    max_ms: { type: 'number' },
    cost: { type: 'string', description: 'US dollars, in decimal digits.' },
    nano_usd: { type: 'string', description: 'The same in billionths of a US dollar.' },
    unpriced: { type: 'integer', description: 'Requests whose cost is not known.' },
    judged: { type: 'integer', description: 'Requests whose responses were judged by output checks.' },
    ...{ passed: count, pass_rate: rate },
    feedback: { type: 'integer', description: 'The number of feedback entries that callers gave on the traces.' },
    feedback_avg: rate,
  }),
);

const reply = titled(
  'UsageArms',
  objectSchema({
    ...{ object: { const: 'list' }, from: seconds, to: seconds },
    data: { type: 'array', maxItems: maxArms, items: arm, description: 'The rows with the most requests.' },
  }),
);

const time = { type: 'integer', minimum: 0, maximum: 100_000_000_000 } as const;

const query = {
  type: 'object',
  properties: {
    from: { ...time, description: 'The start, in seconds since the epoch; 30 days before "to" if absent.' },
    to: { ...time, description: 'The end, in the same form; now if absent.' },
    config: { type: 'string', maxLength: 255, description: 'Only the mirrors of this config.' },
  },
} as const;

const defaultMs = 30 * dayMs;

/** The route that compares the requests that mirrors copied with their copies. */
export const armRoutes = ({ store, pools, now }: LogParts): readonly ControlRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/usage/arms',
    operationId: 'get_usage_arms',
    summary: 'Compares mirrored requests with their copies: status, time, cost, verdicts and feedback.',
    scope: 'analytics.view',
    query,
    replies: { 200: reply },
    handle: async ({ query: asked }, context) => {
      rejectNulCharacters(asked, 'query');
      // The current second is included.
      const max = asked.to === undefined ? now() + 1 : asked.to * 1000;
      const min = asked.from === undefined ? max - defaultMs : asked.from * 1000;
      if (max <= min) refuse([endBeforeStart('to')]);
      const { tenant } = resolveWorkspace(context, 'analytics.view');
      const sums = await withPlace(pools.logReads, context, async () =>
        sumArms(store(), { tenant, min, max, config: asked.config }),
      );
      return ok({ object: 'list', from: toSeconds(min), to: toSeconds(max), data: sums.map(armView) });
    },
  }),
];
