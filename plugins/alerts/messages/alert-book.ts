import type { Clock } from '../../sdk/clock.ts';
import { FairShares } from '../../sdk/fairness/fair-shares.ts';
import type { Alert, Occurrence } from './alert.ts';

const maxSamples = 10;

export interface AlertBookOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'wall'>;
  /** The fewest milliseconds between two messages of one key. */
  readonly everyMs: number;
  /** After so many milliseconds a message of which nothing was heard is given up. */
  readonly lostMs: number;
  /** The most keys; one tenant has at most a quarter of them. */
  readonly maxKeys: number;
  readonly newId: () => string;
  /** Begins to send a message, of which `ended` is called later. Returns false where there is no room for it. */
  readonly send: (alert: Alert) => boolean;
}

interface Entry {
  latest: Occurrence;
  /** The state that the receiver knows. */
  known: 'open' | 'resolved';
  /** Occurrences that no message stands for yet. */
  times: number;
  samples: string[];
  /** When the next message may be made, in milliseconds of the monotonic clock. */
  nextAt: number;
  /** The message that is under way. */
  sent: { readonly alert: Alert; readonly at: number } | undefined;
}

/**
 * What one receiver knows, by key, and what it is to be sent next. Of what begins and ends, messages alternate: only the state in
 * which it is when a message may be made is sent. There is one message of a key under way at most, and the next one is made
 * no earlier than its interval after that was taken. What happens meanwhile is counted.
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

  /** How many occurrences there was no room for. */
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

  /** A message was taken, or will never be: what it says is known. */
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

  /** Sends the last states at once, since there will be no later time for them. */
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
