import type { MirrorArm } from '../../../plugins/sdk/hooks/mirror-report.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { TrailEvent, TrailEventOf } from '../../../schema/trail/trail.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

const lastOf = <Kind extends TrailEvent['kind']>(
  events: readonly TrailEvent[],
  kind: Kind,
  isMeant: (event: TrailEventOf<Kind>) => boolean = () => true,
): TrailEventOf<Kind> | undefined =>
  events.findLast((event): event is TrailEventOf<Kind> => event.kind === kind && isMeant(event as TrailEventOf<Kind>));

const usesSomething = ({ kind, unmeasured }: UsageRecord): boolean => kind !== 'none' || unmeasured === true;

/** Returns the cost of all attempts. Undefined if the cost of one that used something is not known. */
const totalCost = (events: readonly TrailEvent[]): number | undefined => {
  const settled = events.filter((event) => event.kind === 'settled' && usesSomething(event.usage));
  if (settled.length === 0) return events.some(({ kind }) => kind === 'settled') ? 0 : undefined;
  return settled.reduce<number | undefined>(
    (sum, event) =>
      sum === undefined || event.kind !== 'settled' || event.usage.cost === undefined
        ? undefined
        : sum + event.usage.cost.nanoUsd,
    0,
  );
};

export interface ArmSource {
  readonly traceId: string;
  /** The events of its node, or of its copy. */
  readonly events: readonly TrailEvent[];
  readonly response: Pick<GatewayResponse, 'status' | 'origin' | 'leaf'>;
  readonly ms: number;
}

/** One side of a comparison, read from its trail once its answer has ended. */
export const mirrorArm = ({ traceId, events, response, ms }: ArmSource): MirrorArm => {
  const { status, origin, leaf } = response;
  const nanoUsd = totalCost(events);
  const checked = lastOf(events, 'checked', ({ phase }) => phase === 'output');
  return {
    traceId,
    target: lastOf(events, 'attempted')?.target ?? '',
    provider: leaf?.provider ?? '',
    model: lastOf(events, 'settled')?.usage.model ?? '',
    status,
    origin,
    ms,
    ...(nanoUsd === undefined ? {} : { nanoUsd }),
    ...(checked === undefined ? {} : { verdict: checked.result }),
  };
};
