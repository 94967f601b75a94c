import type { JsonObject } from '../../../../schema/json/json.ts';
import type { TrailEvent } from '../../../../schema/trail/trail.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { NotedRequest } from './noted-request.ts';

type Settled = Extract<TrailEvent, { kind: 'settled' }>;

/** What one attempt used and cost, as the log shows it. */
const usageView = ({ kind, model, input, output, cost }: UsageRecord): JsonObject => ({
  kind,
  model,
  input_tokens: input.total,
  output_tokens: output.total,
  ...(input.cacheRead === undefined ? {} : { cache_read_tokens: input.cacheRead }),
  ...(output.reasoning === undefined ? {} : { reasoning_tokens: output.reasoning }),
  ...(cost === undefined ? {} : { cost_nano_usd: cost.nanoUsd }),
});

const listSettled = (trail: readonly TrailEvent[]): readonly Settled[] =>
  trail.filter((event) => event.kind === 'settled');

/** The attempts of a request, in their order. Times are milliseconds after the request's head. */
export const recordedAttempts = (
  trail: readonly TrailEvent[],
  targets: NotedRequest['targets'],
): readonly JsonObject[] => {
  const settled = listSettled(trail);
  return trail.flatMap((event): JsonObject[] => {
    if (event.kind !== 'attempted') return [];
    const { path, target, attempt, status, origin } = event;
    const { slug, provider } = targets[path] ?? {};
    const end = settled.find((each) => each.path === path && each.attempt === attempt);
    const { sent, head } = event.ms ?? {};
    const last = end?.ms?.end;
    return [
      {
        ...{ path, target, attempt, status, origin },
        ...(slug === undefined ? {} : { slug }),
        ...(provider === undefined ? {} : { provider }),
        ...(sent === undefined ? {} : { sent_ms: sent }),
        ...(head === undefined ? {} : { first_byte_ms: head }),
        ...(last === undefined ? {} : { last_byte_ms: last }),
        ...(end === undefined ? {} : { usage: usageView(end.usage) }),
      },
    ];
  });
};

/** What all attempts of a request used together. */
export interface UsedTotal {
  readonly input: number;
  readonly output: number;
  /** Billionths of a US dollar. */
  readonly cost: number;
  /** That of the last attempt that named one. */
  readonly model: string | undefined;
}

const whole = (value: number): number => (Number.isSafeInteger(value) && value > 0 ? value : 0);

export const usedTotal = ({ line }: NotedRequest): UsedTotal =>
  listSettled(line.trail).reduce<UsedTotal>(
    (total, { usage }) => ({
      input: total.input + whole(usage.input.total),
      output: total.output + whole(usage.output.total),
      cost: total.cost + whole(usage.cost?.nanoUsd ?? 0),
      model: usage.model === '' ? total.model : usage.model,
    }),
    { input: 0, output: 0, cost: 0, model: undefined },
  );
