import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import { inChunks } from '../../kernel/store/rows/in-chunks.ts';
import type { RecordRow } from '../store/log-columns.ts';
import { type LogWriting, lastNumber } from '../store/log-store.ts';
import { idBytes, timeOfNumber, toFirstNumber } from '../store/stored-id.ts';

/** The number of a record. */
export interface GivenNumber {
  readonly number: number;
  /** True if its time is not that of the record, whose millisecond has no number left. */
  readonly isMoved: boolean;
}

/** A record that gets a number; its id holds the time. */
type Numbered = Pick<RecordRow, 'id' | 'created_at'>;

const none: ReadonlySet<never> = new Set();

const toHex = (id: Uint8Array): string => toBuffer(id).toString('hex');

/** Gives records their numbers in one transaction. */
export class RecordNumbers {
  readonly #writing: LogWriting;
  /** By millisecond, the last number that it has given. */
  readonly #taken = new Map<number, number>();
  /** The last number that others have given. */
  readonly #before: number;
  #last: number;

  private constructor(writing: LogWriting, last: number) {
    this.#writing = writing;
    this.#before = last;
    this.#last = last;
    this.#taken.set(timeOfNumber(last), last);
  }

  static async of(writing: LogWriting): Promise<RecordNumbers> {
    return new RecordNumbers(writing, await lastNumber(writing, 'log_rows'));
  }

  /**
   * The numbers of records; none of those that are there already, which a database may have committed and could not
   * acknowledge.
   *
   * @param records in the order of their ids
   */
  async give(records: readonly Numbered[]): Promise<ReadonlyMap<Numbered, GivenNumber>> {
    const first = toFirstNumber(records[0]?.created_at ?? 0);
    const end = toFirstNumber((records.at(-1)?.created_at ?? 0) + 1);
    const written = first > this.#before ? none : await this.#written(records, { first, end });
    const given = new Map<Numbered, GivenNumber>();
    for (const record of records) if (!written.has(record)) given.set(record, this.#next(record));
    return given;
  }

  /** Notes what others have been given of some numbers, and answers those that are there. */
  async #written(
    records: readonly Numbered[],
    { first, end }: { readonly first: number; readonly end: number },
  ): Promise<ReadonlySet<Numbered>> {
    const rows = await this.#writing
      .selectFrom('log_rows')
      .select(['number', 'id'])
      .where('number', '>=', first)
      .where('number', '<', end)
      .execute();
    if (rows.length === 0) return none;
    for (const { number } of rows) this.#note(number);
    const known = new Set(rows.map(({ id }) => toHex(id)));
    const isMoved = await this.#writing.selectFrom('log_moved').select('id').limit(1).executeTakeFirst();
    if (isMoved !== undefined) for (const id of await this.#moved(records)) known.add(id);
    return new Set(records.filter(({ id }) => known.has(toHex(idBytes(id)))));
  }

  async #moved(records: readonly Numbered[]): Promise<readonly string[]> {
    const ids = records.map(({ id }) => idBytes(id));
    const rows = await inChunks(ids, (chunk) =>
      this.#writing.selectFrom('log_moved').select('id').where('id', 'in', chunk).execute(),
    );
    return rows.map(({ id }) => toHex(id));
  }

  #note(number: number): void {
    const time = timeOfNumber(number);
    this.#taken.set(time, Math.max(number, this.#taken.get(time) ?? 0));
    this.#last = Math.max(this.#last, number);
  }

  #next({ created_at: time }: Numbered): GivenNumber {
    const first = toFirstNumber(time);
    const next = (this.#taken.get(timeOfNumber(first)) ?? first - 1) + 1;
    const isMoved = timeOfNumber(next) !== timeOfNumber(first);
    const number = isMoved ? this.#last + 1 : next;
    this.#note(number);
    return { number, isMoved };
  }
}
