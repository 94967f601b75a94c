import type { Clock } from '../../sdk/clock.ts';
import { FairShares } from '../../sdk/fairness/fair-shares.ts';
import type { Alert, Occurrence } from './alert.ts';

const maxSamples = 10;

export interface AlertBookOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'wall'>;
  /** The minimum time between two messages with the same key, in milliseconds. */
  readonly everyMs: number;
  /** After this many milliseconds, a message without an outcome is given up. */
  readonly lostMs: number;
  /** The maximum number of keys. One tenant has at most a quarter of them. */
  readonly maxKeys: number;
  readonly newId: () => string;
  /** Starts to send a message; `ended` is called later. Returns false if there is no room for it. */
  readonly send: (alert: Alert) => boolean;
}

interface Entry {
  latest: Occurrence;
  /** The state that the receiver was last sent. */
  known: 'open' | 'resolved';
  /** Occurrences that no message has reported yet. */
  times: number;
  samples: string[];
  /** When the next message may be created, in milliseconds of the monotonic clock. */
  nextAt: number;
  /** The message that is being sent. */
  sent: { readonly alert: Alert; readonly at: number } | undefined;
}

/**
 * Tracks what one receiver knows, by key, and what to send next. For things that begin and end, the messages alternate: only the
 * state at the time when a message may be created is sent. At most one message for each key is being sent, and the next one is
 * created no earlier than the interval after that was accepted. Occurrences in the meantime are counted.
 */
export class AlertBook {
  readonly #options: AlertBookOptions;
  readonly #shares: FairShares;
  readonly #entries = new Map<string, Entry>();
  #dropped = 0;

  constructor(options: AlertBookOptions) {
    this.#options = options;
    this.#shares = new FairShares(options.maxKeys);
  }

  /** How many occurrences were dropped because there was no room. */
  get dropped(): number {
    return this.#dropped;
  }

  note(occurrence: Occurrence): void {
    const { key, state, times = 1, sample } = occurrence;
    const entry = this.#entries.get(key) ?? this.#opened(occurrence);
    if (entry === undefined) return;
    if (state === 'once' || state !== entry.latest.state) {
      entry.times += times;
      if (sample !== undefined && entry.samples.length < maxSamples && !entry.samples.includes(sample))
        entry.samples.push(sample);
    }
    entry.latest = occurrence;
    this.#offer(key, entry);
  }

  /** Called when a message was accepted or has been given up. The receiver is then assumed to know its state. */
  ended({ key, id, state }: Alert): void {
    const entry = this.#entries.get(key);
    if (entry?.sent?.alert.id !== id) return;
    entry.sent = undefined;
    if (state !== 'once') entry.known = state;
    entry.nextAt = Math.max(entry.nextAt, this.#options.clock.monotonic() + this.#options.everyMs);
  }

  /** Sends what may be sent now, and forgets what is over. Called every second. */
  look(): void {
    const { clock, lostMs } = this.#options;
    const now = clock.monotonic();
    for (const [key, entry] of this.#entries) {
      if (entry.sent !== undefined && now - entry.sent.at > lostMs) entry.sent = undefined;
      this.#offer(key, entry);
      if (entry.sent !== undefined || now < entry.nextAt || this.#hasNews(entry) || entry.known === 'open') continue;
      this.#entries.delete(key);
      this.#shares.give(entry.latest.tenant);
    }
  }

  /** Sends the last states immediately, because there will be no later opportunity. */
  flush(): void {
    for (const [key, entry] of this.#entries) {
      entry.nextAt = Number.NEGATIVE_INFINITY;
      this.#offer(key, entry);
    }
  }

  #opened(occurrence: Occurrence): Entry | undefined {
    const { key, state, tenant } = occurrence;
    if (state === 'resolved') return undefined;
    if (!this.#shares.take(tenant)) {
      this.#dropped += 1;
      return undefined;
    }
    const latest: Occurrence = state === 'once' ? occurrence : { ...occurrence, state: 'resolved' };
    const entry: Entry = { latest, known: 'resolved', times: 0, samples: [], nextAt: 0, sent: undefined };
    this.#entries.set(key, entry);
    return entry;
  }

  #hasNews({ latest: { state }, known, times }: Entry): boolean {
    return state === 'once' ? times > 0 : state !== known;
  }

  #offer(key: string, entry: Entry): void {
    const { clock, everyMs, newId, send } = this.#options;
    const now = clock.monotonic();
    if (entry.sent !== undefined || now < entry.nextAt || !this.#hasNews(entry)) return;
    const { times: _, sample: __, ...latest } = entry.latest;
    const alert = { ...latest, key, id: newId(), at: clock.wall(), count: entry.times, samples: entry.samples };
    entry.sent = { alert, at: now };
    if (!send(alert)) {
      entry.sent = undefined;
      return;
    }
    entry.times = 0;
    entry.samples = [];
    entry.nextAt = now + everyMs;
  }
}
