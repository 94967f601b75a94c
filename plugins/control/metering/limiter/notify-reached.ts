import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { escapeUnprintableJson } from '../../../../schema/json/escape-unprintable-json.ts';
import { amountText } from '../../../../schema/text/amount-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { LimitReached } from '../../../sdk/hooks/limit-reached.ts';
import type { AuditLog } from '../../access/audit/audit-log.ts';
import type { AuditRecord } from '../../access/audit/audit-store.ts';
import { entryLimit } from '../../kernel/fairness/entry-limit.ts';
import type { LimitPolicy } from '../../kernel/limits/limit-policy.ts';
import { type ReachedKind, toMarks } from './matched-policies.ts';

/** The usage of a counter. */
interface CounterUse {
  readonly policy: LimitPolicy;
  readonly bucket: string;
  readonly organisation: string;
  readonly workspace: string;
  /** The settled amount, in whole units. */
  readonly used: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When the counter starts again, in milliseconds since the epoch; absent if never. */
  readonly resetsAt?: number | undefined;
}

/** A counter that has reached a mark for the first time in its window. */
export interface ReachedLimit extends CounterUse {
  readonly kind: ReachedKind;
}

/** The mark of a counter, in one of its windows. */
type ReachedMark = Pick<ReachedLimit, 'kind' | 'policy' | 'bucket' | 'resetsAt'>;

/** The maximum number of counters that are remembered as reported. */
const maxNotified = 20_000;

/**
 * Reports each counter once per window when it reaches the alert of its policy, and once when it reaches its limit; again if it
 * was below that in the meantime, because an operator has reset it. Another process may have reported the same before, which
 * `notifyReached` checks.
 */
export class ReachedWatch {
  readonly #notified = new LRUCache<string, number>(entryLimit(maxNotified));
  readonly #notify: (reached: ReachedLimit) => void;

  constructor(notify: (reached: ReachedLimit) => void) {
    this.#notify = notify;
  }

  /** Whether it has reported counters, so that it also needs to see when they are below what it reported. */
  get hasNotified(): boolean {
    return this.#notified.size > 0;
  }

  /** Checks how full a counter is. */
  see(use: CounterUse): void {
    for (const { kind, at } of toMarks(use.policy)) {
      const isReached = use.used >= at;
      if (!isReached && !this.hasNotified) continue;
      const key = `${kind} ${use.policy.id} ${use.bucket}`;
      const window = use.resetsAt ?? 0;
      if (!isReached) this.#notified.delete(key);
      else if (this.#notified.get(key) !== window) {
        this.#notified.set(key, window);
        this.#notify({ ...use, kind });
      }
    }
  }
}

/**
 * Returns the id of the record of what a counter has reached. It is the same for each window and mark, whichever process sees it
 * first. A limit that is raised can be reached once more.
 */
export const reachedId = ({ kind, policy, bucket, resetsAt = 0 }: ReachedMark): string => {
  const mark = kind === 'threshold' ? policy.alertAt : policy.limit;
  return `limit-${createHash('sha256')
    .update(JSON.stringify([kind, policy.id, bucket, resetsAt, mark]))
    .digest('hex')
    .slice(0, 40)}`;
};

const toEvent = ({ policy: { id, name, unit, limit }, resetsAt, ...rest }: ReachedLimit): LimitReached => ({
  ...{ ...rest, policy: id, name, unit, limit },
  ...(resetsAt === undefined ? {} : { resetsAt }),
});

const toRecord = (id: string, reached: LimitReached): AuditRecord => {
  const { kind, policy, bucket, name, unit, used, limit, resetsAt = 0, organisation, workspace, at } = reached;
  return {
    ...{ id, at, organisation, workspace, method: '', uri: '' },
    ...{ actor: 'gateway', resourceType: 'policies', action: 'limit_reached', status: 200 },
    detail: { kind, policy, name, bucket, unit, used, limit, resets_at: resetsAt },
  };
};

/** Quotes a text that callers choose, because the operator's terminal shows it. */
const quoted = (text: string): string => escapeUnprintableJson(JSON.stringify(text));

const sentence = ({ kind, name, bucket, unit, used, limit }: LimitReached): string => {
  const whose = bucket === '' ? '' : ` for ${quoted(bucket)}`;
  const ending = kind === 'exhausted' ? 'requests that it covers are refused' : 'its alert is reached';
  return `gw: Of the limit ${quoted(name)}, ${amountText(unit, used)} of ${amountText(unit, limit)} are used${whose}: ${ending}.\n`;
};

/** Writes what was reached to the audit log, and then notifies the operator and plugins, unless another process did so before. */
export const notifyReached =
  (parts: {
    readonly audit: Pick<AuditLog, 'write'>;
    /** Notifies the operator. */
    readonly say: (text: string) => void;
    /** Notifies plugins. */
    readonly notify: (reached: LimitReached) => void;
  }): ((reached: ReachedLimit) => void) =>
  (limit) => {
    const reached = toEvent(limit);
    void parts.audit.write(toRecord(reachedId(limit), reached)).then((isNew) => {
      if (!isNew) return;
      parts.say(sentence(reached));
      parts.notify(reached);
    });
  };

const everyMs = 60_000;

/** Why something was allowed without being counted in full. */
type Unknown = 'counter' | 'price';

const facts: Readonly<Record<Unknown, (count: number) => string>> = {
  counter: (count) =>
    `${count} ${count === 1 ? 'request was' : 'requests were'} let through because the counters of limits could not be reached in time.`,
  price: (count) =>
    `${count} ${count === 1 ? 'attempt was' : 'attempts were'} let through past a limit of cost, because the model has no known price, or the provider does not report what was used. Give the model a price under "prices" in the gateway file: one for each "request" if nothing is reported.`,
};

/** Counts what policies with `if_unknown: "allow"` let through, and notifies the operator once a minute. */
export class UnknownsReport {
  readonly #clock: Clock;
  readonly #say: (text: string) => void;
  readonly #waiting = new Map<Unknown, number>();
  #stop: (() => void) | undefined;

  constructor(clock: Clock, say: (text: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  add(what: Unknown): void {
    this.#waiting.set(what, (this.#waiting.get(what) ?? 0) + 1);
    // The first is reported immediately, and later ones together once a minute.
    if (this.#stop === undefined) this.#report();
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#sayAll();
  }

  /** Reports what is waiting, and continues if there was anything. */
  #report(): void {
    this.#stop = this.#waiting.size > 0 ? this.#clock.after(everyMs, () => this.#report()) : undefined;
    this.#sayAll();
  }

  #sayAll(): void {
    for (const [what, count] of this.#waiting) this.#say(`gw: ${facts[what](count)}\n`);
    this.#waiting.clear();
  }
}
