import { amountText } from '../../../schema/text/amount-text.ts';
import type { LimitReached } from '../../sdk/hooks/limit-reached.ts';
import type { Occurrence } from '../messages/alert.ts';
import { plainName, shownName } from './shown-name.ts';

/** The maximum number of limits for which the end of the window is remembered. */
const maxOpen = 1000;

const actions = {
  threshold: 'Raise the limit, or expect requests that it covers to be refused when it is used up.',
  exhausted: 'Requests that it covers are refused until it begins anew. Raise the limit, or reset it.',
} as const;

const toTitle = ({ kind, name, bucket, unit, used, limit }: LimitReached): string => {
  const whose = bucket === '' ? '' : ` for ${shownName(bucket)}`;
  const amounts = `${amountText(unit, used)} of ${amountText(unit, limit)}`;
  return kind === 'exhausted'
    ? `The limit ${shownName(name)} is used up${whose}: ${amounts}.`
    : `The limit ${shownName(name)} has reached its alert${whose}: ${amounts}.`;
};

/** Creates an occurrence. Several counters of one limit share a message. A single counter ends with its window. */
const toLimitOccurrence = (reached: LimitReached): Occurrence => {
  const { kind, policy, bucket, name, unit, used, limit, organisation, workspace, resetsAt } = reached;
  const isAlone = bucket === '' && resetsAt !== undefined;
  return {
    kind: kind === 'exhausted' ? 'limit.exhausted' : 'limit.threshold',
    key: `limit.${kind} ${policy}`,
    state: isAlone ? 'open' : 'once',
    severity: kind === 'exhausted' ? 'error' : 'warning',
    title: toTitle(reached),
    action: actions[kind],
    tenant: workspace === '' ? organisation : workspace,
    ...(organisation === '' ? {} : { organisation }),
    ...(workspace === '' ? {} : { workspace }),
    details: {
      ...{ policy, name: plainName(name), unit, used, limit },
      ...(bucket === '' ? {} : { counter: plainName(bucket) }),
      ...(resetsAt === undefined ? {} : { resets_at: new Date(resetsAt).toISOString() }),
    },
    ...(bucket === '' ? {} : { sample: plainName(bucket) }),
  };
};

/** Reports limits that are reached, and the end of the windows of those without groups. */
export class LimitAlerts {
  readonly #note: (occurrence: Occurrence) => void;
  readonly #open = new Map<string, { readonly occurrence: Occurrence; readonly until: number }>();

  constructor(note: (occurrence: Occurrence) => void) {
    this.#note = note;
  }

  reached(reached: LimitReached): void {
    const occurrence = toLimitOccurrence(reached);
    this.#note(occurrence);
    if (occurrence.state !== 'open' || reached.resetsAt === undefined) return;
    this.#open.delete(occurrence.key);
    const [oldest] = this.#open.keys();
    if (this.#open.size >= maxOpen && oldest !== undefined) this.#end(oldest);
    this.#open.set(occurrence.key, { occurrence, until: reached.resetsAt });
  }

  /** Reports windows that have ended. `now` is in milliseconds since the epoch. */
  look(now: number): void {
    for (const [key, { until }] of this.#open) if (until <= now) this.#end(key);
  }

  #end(key: string): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    const name = shownName(String(open.occurrence.details.name));
    this.#note({ ...open.occurrence, state: 'resolved', title: `The limit ${name} has begun anew.`, action: '' });
  }
}
