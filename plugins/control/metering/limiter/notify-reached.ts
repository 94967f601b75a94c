import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { seenJson } from '../../../../schema/json/seen-json.ts';
import type { LimitReached } from '../../../sdk/hooks/limit-reached.ts';
import type { AuditLog } from '../../access/audit/audit-log.ts';
import type { AuditRecord } from '../../access/audit/audit-store.ts';
import type { LimitPolicy } from '../../kernel/limits/limit-policy.ts';
import { type ReachedKind, toMarks } from './matching/matched-policies.ts';
import { amountText } from './refusals.ts';

/** What a counter has. */
interface CounterUse {
  readonly policy: LimitPolicy;
  readonly bucket: string;
  readonly organisation: string;
  readonly workspace: string;
  /** Whole units: what was settled. */
  readonly used: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When the counter begins anew, in milliseconds since the epoch; absent if never. */
  readonly resetsAt?: number;
}

/** A counter that has reached something for the first time in its window. */
export interface ReachedLimit extends CounterUse {
  readonly kind: ReachedKind;
}

/** The most counters of which it is remembered that they were told of. */
const maxNotified = 20_000;

/** Sees how full counters are. */
export interface ReachedWatch {
  /** Whether it has told of counters, of which it wants to see also that they are below what it told. */
  readonly hasNotified: boolean;
  see(use: CounterUse): void;
}

/**
 * Tells of each counter once in a window when it reaches the alert of its policy, and once when it reaches its limit; again
 * when it was below that meanwhile, because somebody has reset it. What it tells may have been told: of that
 * `notifyReached` decides.
 */
export const watchReached = (notify: (reached: ReachedLimit) => void): ReachedWatch => {
  const notified = new LRUCache<string, number>({ max: maxNotified });
  return {
    get hasNotified() {
      return notified.size > 0;
    },
    see(use) {
      for (const { kind, at } of toMarks(use.policy)) {
        const isReached = use.used >= at;
        if (!isReached && notified.size === 0) continue;
        const key = `${kind} ${use.policy.id} ${use.bucket}`;
        const window = use.resetsAt ?? 0;
        if (!isReached) notified.delete(key);
        else if (notified.get(key) !== window) {
          notified.set(key, window);
          notify({ ...use, kind });
        }
      }
    },
  };
};

interface NotifyReachedOptions {
  readonly audit: Pick<AuditLog, 'write'>;
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
  /** Tells plugins. */
  readonly notify: (reached: LimitReached) => void;
}

interface ReachedPlace {
  readonly kind: ReachedKind;
  readonly policy: string;
  readonly bucket: string;
  /** When the counter begins anew, in milliseconds since the epoch; 0 if never. */
  readonly resetsAt: number;
}

/** The id of the record of what a counter has reached: one for each window, whichever process sees it first. */
export const reachedId = ({ kind, policy, bucket, resetsAt }: ReachedPlace): string =>
  `limit-${createHash('sha256')
    .update(JSON.stringify([kind, policy, bucket, resetsAt]))
    .digest('hex')
    .slice(0, 40)}`;

const toEvent = ({ policy: { id, name, unit, limit }, ...rest }: ReachedLimit): LimitReached => ({
  ...rest,
  ...{ policy: id, name, unit, limit },
});

const toRecord = (reached: LimitReached): AuditRecord => {
  const { kind, policy, bucket, name, unit, used, limit, resetsAt = 0, organisation, workspace, at } = reached;
  return {
    ...{ id: reachedId({ kind, policy, bucket, resetsAt }), at, organisation, workspace, method: '', uri: '' },
    ...{ actor: 'gateway', resourceType: 'policies', action: 'limit_reached', status: 200 },
    detail: { kind, policy, name, bucket, unit, used, limit, resets_at: resetsAt },
  };
};

/** Callers choose what labels contain, and the operator's terminal shows it. */
const quoted = (text: string): string => seenJson(JSON.stringify(text));

const sentence = ({ kind, name, bucket, unit, used, limit }: LimitReached): string => {
  const whose = bucket === '' ? '' : ` for ${quoted(bucket)}`;
  const ending = kind === 'exhausted' ? 'requests that it covers are refused' : 'its alert is reached';
  return `gw: Of the limit ${quoted(name)}, ${amountText(unit, used)} of ${amountText(unit, limit)} are used${whose}: ${ending}.\n`;
};

/** Writes what was reached to the audit log, and then tells the operator and plugins, unless another process did. */
export const notifyReached =
  ({ audit, say, notify }: NotifyReachedOptions): ((reached: ReachedLimit) => void) =>
  (limit) => {
    const reached = toEvent(limit);
    void audit.write(toRecord(reached)).then((isNew) => {
      if (!isNew) return;
      say(sentence(reached));
      notify(reached);
    });
  };
