import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { EntryText, TakenPostings } from '../ledger/posting.ts';
import { postedText, type SentDecision, type SentPlace, stateText } from './decision-texts.ts';
import { type Charge, type CounterSum, type Granted, type LateCharges, type Refused, sharedBucket } from './limits.ts';
import { MemoryLimits } from './memory-limits.ts';
import { type CountedPlace, PlaceReader, toCharges } from './place-reader.ts';
import type { CountersQuestion } from './remote-counters.ts';

export interface OwnedCountersOptions<Entry> {
  readonly clock: Clock;
  readonly postings: TakenPostings<Entry>;
  /** Reads an entry that was written as JSON; returns undefined if it is not valid. */
  readonly readEntry: (value: unknown) => Entry | undefined;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
}

/** An entry as a worker has sent it. It is parsed when it is posted. */
interface SentEntry extends EntryText {
  readonly worker: number;
}

/** Returns the next entry of a message, from the number of its end. */
type NextEntry = (end: string | number | undefined) => SentEntry;

/** The maximum number of late charges that are not known to be in the ledger. Beyond it, the oldest are forgotten. */
const maxPending = 1000;

/** All grants of a process have the same epoch, because its workers end with it. */
const epoch = 'owned';

/** The answer unless specified otherwise. */
const done = 'done';

const answerText = (charges: readonly Charge[], answer: Granted | Refused): string => {
  if (answer.kind === 'granted') return ['granted', ...answer.counters.map(stateText)].join(' ');
  const { counter } = answer;
  const isOf = ({ policy, bucket }: Charge): boolean =>
    policy === counter.policy && (bucket === counter.bucket || counter.bucket === sharedBucket);
  return `refused ${charges.findIndex(isOf)} ${stateText(counter)}`;
};

/**
 * The counters of a process that owns workers. The workers query it as they would query a Redis, and it counts in its memory.
 * What a worker holds when it ends is charged as reserved.
 */
export class OwnedCounters<Entry> {
  readonly #memory: MemoryLimits<SentEntry>;
  readonly #pending = new Map<string, LateCharges>();
  readonly #places = new PlaceReader();

  constructor({ clock, postings, readEntry, say }: OwnedCountersOptions<Entry>) {
    this.#memory = new MemoryLimits({
      clock,
      postings: {
        take: ({ entry: { own, shared }, ...posting }) => {
          const entry = readEntry(fromJson(own + shared));
          if (entry === undefined) say('gw: A posting of a worker cannot be read, and is skipped.\n');
          else postings.take({ ...posting, entry });
        },
      },
    });
  }

  /** Adds the ledger's sums to counters. Call it once, before the first query. */
  load(sums: readonly CounterSum[]): void {
    this.#memory.load(sums);
  }

  /** Answers a worker in the same way as the scripts of Redis. */
  async answer(
    worker: number,
    question: CountersQuestion,
    [first = '', entries = '', ends = '']: readonly string[],
  ): Promise<readonly string[]> {
    if (question === 'decide') return ['decided', epoch, this.#decideAll(worker, first, { entries, ends }).join('\n')];
    const sent: readonly SentPlace[] = fromJson(first);
    const places = sent.map((place) => this.#places.read(place));
    if (question === 'read') return ['read', ...(await this.#memory.read(places)).map(stateText)];
    const had = await Promise.all(places.map((place) => this.#memory.reset(place)));
    return ['reset', ...had.flatMap(({ used, window }) => [String(used), String(window)])];
  }

  /** Handles the end of a worker: nobody will settle what it holds. */
  leave(worker: number): void {
    this.#memory.expireHeld((entry) => entry.worker === worker);
  }

  close(): Promise<void> {
    return this.#memory.close();
  }

  #decideAll(
    worker: number,
    text: string,
    { entries, ends }: { readonly entries: string; readonly ends: string },
  ): readonly string[] {
    const [sent, decisions]: readonly [readonly SentPlace[], readonly SentDecision[]] = fromJson(text);
    const places = sent.map((place) => this.#places.read(place));
    const entryLines = entries.split('\n');
    const endLines = ends.split('\n');
    let line = 0;
    const nextEntry = (end: string | number | undefined): SentEntry => {
      line += 1;
      return { worker, own: entryLines[line - 1] ?? '', shared: endLines[Number(end)] ?? '' };
    };
    return decisions.map((decision) => this.#decide(decision, places, nextEntry));
  }

  #decide([kind, ...rest]: SentDecision, places: readonly CountedPlace[], nextEntry: NextEntry): string {
    const memory = this.#memory;
    const id = String(rest[0]);
    switch (kind) {
      case 'reserve': {
        const charges = toCharges(rest, { at: 3, places });
        return answerText(charges, memory.reserve(id, charges, { ttlMs: Number(rest[1]), entry: nextEntry(rest[2]) }));
      }
      case 'look': {
        const charges = toCharges(rest, { at: 0, places });
        return answerText(charges, memory.peek(charges));
      }
      case 'settle': {
        const settle = rest[1] === '' ? memory.settleUnanswered : memory.settle;
        settle.call(memory, id, toCharges(rest, { at: 3, places }), nextEntry(rest[2]));
        return done;
      }
      case 'charge': {
        nextEntry(rest[1]);
        const charged = memory.chargeNow(toCharges(rest, { at: 2, places }));
        this.#remember(id, charged);
        return postedText(charged.posted);
      }
      case 'made':
        this.#pending.get(id)?.onStored();
        this.#pending.delete(id);
        return done;
      case 'release':
        memory.release(id);
        return done;
    }
  }

  #remember(id: string, charged: LateCharges): void {
    this.#pending.delete(id);
    this.#pending.set(id, charged);
    const [oldest = ''] = this.#pending.keys();
    if (this.#pending.size > maxPending) this.#pending.delete(oldest);
  }
}
