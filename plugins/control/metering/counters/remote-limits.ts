import type { Clock } from '../../../sdk/clock.ts';
import type { EntryText } from '../ledger/posting.ts';
import { CounterStateCache, GrantedIds } from './counter-state-cache.ts';
import type { CountersAvailability } from './counters-availability.ts';
import { DecisionBatches, ResendQueue } from './decision-batches.ts';
import {
  chargeDecision,
  fromDecisionText,
  fromStateWords,
  lookDecision,
  madeDecision,
  readPosted,
  releaseDecision,
  reserveDecision,
  settleDecision,
  toSentPlace,
} from './decision-texts.ts';
import type {
  Answer,
  Charge,
  CounterState,
  Granted,
  LateCharges,
  Limits,
  Refused,
  ReserveOptions,
  ResetCounter,
  Unavailable,
} from './limits.ts';
import {
  type CountersPlace,
  type CountersQuestion,
  capitalised,
  NotSentError,
  type RemoteCounters,
} from './remote-counters.ts';

/** Work outside of decisions, as long as the counters are open. */
interface BesideDecisions {
  start(connect: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
  /** Called after the last decision. */
  end(): Promise<void>;
}

export interface RemoteLimitsOptions<Entry> {
  /** Answers decisions, which requests wait for. */
  readonly decisions: RemoteCounters;
  /** Answers everything else. */
  readonly others: RemoteCounters;
  readonly availability: CountersAvailability;
  readonly place: CountersPlace;
  /** Writes an entry as JSON. */
  readonly writeEntry: (entry: Entry) => EntryText;
  readonly clock: Clock;
  /** How long to wait for a decision, in milliseconds. */
  readonly commandMs: number;
  /** The maximum number of settlements that are kept while nothing answers. */
  readonly maxUnsent: number;
  readonly say: (text: string) => void;
  readonly beside?: (unsent: ResendQueue) => BesideDecisions;
  /**
   * Resolves when the ledger of the counters has everything settled; absent if settlements survive the end of the other process.
   */
  readonly posted?: (until: 'written' | 'tried') => Promise<void>;
  readonly close?: () => Promise<unknown>;
}

const unavailable: Unavailable = { kind: 'unavailable' };

/** The result if the counters post charges themselves. */
const nothingLeft: LateCharges = { posted: [], onStored: () => {} };

/** Counts in another process, which several processes may share. */
export class RemoteLimits<Entry> implements Limits<Entry> {
  readonly #options: RemoteLimitsOptions<Entry>;
  readonly #availability: CountersAvailability;
  readonly #beside: BesideDecisions | undefined;
  readonly #batches: DecisionBatches;
  readonly #unsent: ResendQueue;
  readonly #known: CounterStateCache;
  readonly #ids = new GrantedIds();
  #isClosed = false;

  constructor(options: RemoteLimitsOptions<Entry>) {
    const { decisions: runner, availability, place, clock, commandMs, maxUnsent: max, say, beside } = options;
    this.#options = options;
    this.#availability = availability;
    this.#batches = new DecisionBatches({ clock, commandMs, availability, runner });
    this.#unsent = new ResendQueue({ batches: this.#batches, max, say, name: place.name });
    this.#beside = beside?.(this.#unsent);
    this.#known = new CounterStateCache(clock);
  }

  /** Waits briefly until the counters can be queried. */
  async start(connect: () => Promise<unknown>): Promise<void> {
    await this.#beside?.start(connect);
  }

  reserve(id: string, charges: readonly Charge[], { ttlMs, entry }: ReserveOptions<Entry>): Answer | Promise<Answer> {
    if (this.#isClosed || !this.#availability.enter()) {
      this.#ids.unknown(id);
      return unavailable;
    }
    return new Promise((resolve) => {
      this.#batches.ask({
        decision: reserveDecision(id, charges, { ttlMs, entry: this.#options.writeEntry(entry) }),
        isUrgent: true,
        answered: (text, epoch) => {
          const answer = this.#read(charges, text);
          if (answer?.kind === 'granted') this.#ids.granted(id, epoch);
          if (text === 'lost') this.#ids.unknown(id);
          resolve(answer ?? unavailable);
        },
        failed: (error) => {
          this.#ids.unknown(id);
          // The reservation may still be made after its answer is no longer awaited.
          if (!(error instanceof NotSentError)) this.#unsent.send(releaseDecision(id, ''));
          resolve(unavailable);
        },
      });
    });
  }

  peek(charges: readonly Charge[]): Answer | Promise<Answer> {
    const counters = this.#known.admitting(charges);
    if (counters !== undefined) return { kind: 'granted', counters };
    if (this.#isClosed || !this.#availability.enter()) return unavailable;
    return new Promise((resolve) => {
      this.#batches.ask({
        decision: lookDecision(charges),
        isUrgent: true,
        answered: (text) => resolve(this.#read(charges, text) ?? unavailable),
        failed: () => resolve(unavailable),
      });
    });
  }

  settle(id: string, actual: readonly Charge[], entry: Entry): void {
    const epoch = this.#ids.take(id);
    if (epoch === undefined) return;
    this.#known.charged(actual);
    this.#unsent.send(settleDecision(id, actual, { epoch, entry: this.#options.writeEntry(entry) }));
  }

  release(id: string): void {
    const epoch = this.#ids.take(id);
    if (epoch !== undefined) this.#unsent.send(releaseDecision(id, epoch));
  }

  charge(id: string, charges: readonly Charge[], entry: Entry): Promise<LateCharges> {
    return new Promise((resolve, reject) => {
      this.#batches.ask({
        decision: chargeDecision(id, charges, this.#options.writeEntry(entry)),
        isUrgent: false,
        answered: (text) => {
          const posted = readPosted(text);
          if (text !== 'done' && posted === undefined) return reject(this.#incomplete());
          this.#known.charged(charges);
          resolve(posted === undefined ? nothingLeft : { posted, onStored: () => this.#unsent.send(madeDecision(id)) });
        },
        failed: (error) => reject(this.#notAsked(error)),
      });
    });
  }

  async read(
    places: readonly Pick<Charge, 'policy' | 'bucket' | 'limit' | 'reset'>[],
  ): Promise<readonly CounterState[]> {
    const texts = await this.#ask('read', places);
    return places.map((place, index) => fromStateWords(place, (texts[index] ?? '').split(' ')));
  }

  async reset(place: Pick<Charge, 'policy' | 'bucket' | 'reset'>): Promise<ResetCounter> {
    const [used, window] = await this.#ask('reset', [place]);
    return { used: Number(used), window: Number(window) };
  }

  async settled(until: 'written' | 'tried' = 'written'): Promise<void> {
    await this.#batches.settled();
    await this.#options.posted?.(until).catch(() => {});
  }

  isUnavailable(): boolean {
    return this.#availability.isUnavailable();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#beside?.stop();
    await this.#batches.settled();
    await this.#beside?.end().catch((error: unknown) => this.#availability.failed(error));
    // Reservations that have failed since then were released.
    await this.#batches.settled();
    this.#unsent.giveUp();
    await this.#options.close?.();
  }

  /** Parses the answer to charges; returns undefined if they were neither granted nor refused. */
  #read(charges: readonly Charge[], text: string): Granted | Refused | undefined {
    const answer = fromDecisionText(charges, text);
    if (answer?.kind === 'refused') this.#known.refused(charges);
    if (answer?.kind === 'granted') this.#known.granted(charges, answer);
    return answer;
  }

  /** Queries the counters after everything that this process has settled before. */
  async #ask(
    question: Exclude<CountersQuestion, 'decide'>,
    places: readonly Pick<Charge, 'policy' | 'bucket' | 'reset'>[],
  ): Promise<readonly string[]> {
    await this.#batches.settled();
    const [answer, ...texts] = await this.#options.others
      .run(question, [JSON.stringify(places.map(toSentPlace))])
      .catch((error: unknown): readonly string[] => {
        throw this.#notAsked(error);
      });
    if (answer === question) return texts;
    throw this.#incomplete();
  }

  #notAsked(error: unknown): Error {
    const { name, describe } = this.#options.place;
    return new Error(`${capitalised(name)} cannot be used (${describe(error)}). Try again.`);
  }

  #incomplete(): Error {
    const { name } = this.#options.place;
    return new Error(`${capitalised(name)} has no counters yet: they are being read from the ledger. Try again.`);
  }
}
