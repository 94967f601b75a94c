import { withoutServiceKeys } from '../../../../schema/credentials/without-service-keys.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import { inChunks } from '../../kernel/store/rows/in-chunks.ts';
import { type RowValues, rowInserter } from '../../kernel/store/rows/row-inserter.ts';
import { DetailBlock, linesOfBlock } from './detail-blocks.ts';
import { type LogStore, type LogWriting, lastNumber, logColumns } from './log-store.ts';
import { idBytes, timeOfNumber, toFirstNumber } from './stored-id.ts';
import type { NewRecord } from './to-record.ts';

/** A record with its number. */
export interface NumberedRecord extends NewRecord {
  readonly number: number;
  /** Whether it does not contain the time of the record, because that millisecond has no number left. */
  readonly isMoved: boolean;
}

const none: ReadonlySet<never> = new Set();

const toHex = (id: Uint8Array): string => toBuffer(id).toString('hex');

/** Assigns numbers to records in one transaction. */
export class RecordNumbers {
  readonly #writing: LogWriting;
  /** The last assigned number, by millisecond. */
  readonly #taken = new Map<number, number>();
  /** The last number that others have assigned. */
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
   * Assigns numbers to records. Existing records are omitted: a database may have committed them without being able to
   * acknowledge that.
   *
   * @param records in the order of their ids
   */
  async give(records: readonly NewRecord[]): Promise<readonly NumberedRecord[]> {
    const first = toFirstNumber(records[0]?.record.created_at ?? 0);
    const end = toFirstNumber((records.at(-1)?.record.created_at ?? 0) + 1);
    const written = first > this.#before ? none : await this.#written(records, { first, end });
    const numbered: NumberedRecord[] = [];
    for (const each of records) if (!written.has(each)) numbered.push(this.#next(each));
    return numbered;
  }

  /** Notes which of some numbers are taken, and returns the records that already exist. */
  async #written(
    records: readonly NewRecord[],
    { first, end }: { readonly first: number; readonly end: number },
  ): Promise<ReadonlySet<NewRecord>> {
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
    const ids = isMoved === undefined ? [] : records.map(({ record }) => idBytes(record.id));
    const moved = await inChunks(ids, (chunk) =>
      this.#writing.selectFrom('log_moved').select('id').where('id', 'in', chunk).execute(),
    );
    for (const { id } of moved) known.add(toHex(id));
    return new Set(records.filter(({ record }) => known.has(toHex(idBytes(record.id)))));
  }

  #note(number: number): void {
    const time = timeOfNumber(number);
    this.#taken.set(time, Math.max(number, this.#taken.get(time) ?? 0));
    this.#last = Math.max(this.#last, number);
  }

  #next({ record, detail }: NewRecord): NumberedRecord {
    const first = toFirstNumber(record.created_at);
    const next = (this.#taken.get(timeOfNumber(first)) ?? first - 1) + 1;
    const isMoved = timeOfNumber(next) !== timeOfNumber(first);
    const number = isMoved ? this.#last + 1 : next;
    this.#note(number);
    return { record, detail, number, isMoved };
  }
}

/** A block with fewer records and fewer bytes accepts more, so that records which arrive a few at a time still share one. */
const fewPlaces = 64;
const fewBytes = 8 * 1024;

const insertBlocks = rowInserter('log_blocks', { columns: logColumns.log_blocks, merge: 'refuse' });

/** Collects the details of records into blocks, in one transaction. */
export class WrittenBlocks {
  readonly #writing: LogWriting;
  readonly #kind: LogStore['kind'];
  /** The complete blocks. */
  readonly #rows: RowValues[] = [];
  #number: number;
  #block = new DetailBlock();
  /** The size of the block's added records without their details, and their number. */
  #bytes = 0;
  #added = 0;
  /** The existing block that is replaced. */
  #before: { readonly data: number; readonly remaining: number; readonly bytes: number } | undefined;
  /** The first and the last number of its records, which those of an earlier version do not have. */
  #range: readonly [first: number, last: number] | undefined;
  readonly #isNew: boolean;
  #replaced: number | undefined;
  #total = 0;

  private constructor(
    writing: LogWriting,
    { kind, number, isNew }: { readonly kind: LogStore['kind']; readonly number: number; readonly isNew: boolean },
  ) {
    this.#writing = writing;
    this.#kind = kind;
    this.#number = number;
    this.#isNew = isNew;
  }

  /** @param areNew whether they are records of requests that have just ended, which may join those of an earlier transaction */
  static async of(
    writing: LogWriting,
    { kind, areNew }: { readonly kind: LogStore['kind']; readonly areNew: boolean },
  ): Promise<WrittenBlocks> {
    const last = await writing
      .selectFrom('log_blocks')
      .select(['number', 'places'])
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    const blocks = new WrittenBlocks(writing, { kind, number: (last?.number ?? 0) + 1, isNew: areNew });
    if (areNew && last !== undefined && last.places < fewPlaces) await blocks.#extend(last.number);
    return blocks;
  }

  async #extend(number: number): Promise<void> {
    const last = await this.#writing
      .selectFrom('log_blocks')
      .selectAll()
      .where('number', '=', number)
      .executeTakeFirst();
    if (last === undefined || last.data.length > fewBytes) return;
    if (last.first_record === null || last.last_record === null) return;
    this.#number = number;
    this.#block = new DetailBlock(linesOfBlock(last.data));
    this.#before = { data: last.data.length, remaining: last.remaining, bytes: last.bytes };
    this.#range = [last.first_record, last.last_record];
  }

  /** The size of everything, once it is written. */
  get bytes(): number {
    return this.#total;
  }

  /**
   * Adds the detail of a record, and returns its place.
   *
   * @param record its number, and its size without the detail
   */
  add(
    detail: string,
    { number, bytes }: { readonly number: number; readonly bytes: number },
  ): { readonly block: number; readonly place: number } {
    if (!this.#block.hasRoomFor(detail)) this.#complete();
    const [first, last] = this.#range ?? [number, number];
    if (this.#isNew) this.#range = [Math.min(first, number), Math.max(last, number)];
    this.#bytes += bytes;
    this.#added += 1;
    return { block: this.#number, place: this.#block.add(detail) };
  }

  #complete(): void {
    const { data: replaced, remaining, bytes } = this.#before ?? { data: 0, remaining: 0, bytes: 0 };
    const data = this.#block.compressed(withoutServiceKeys);
    if (this.#before !== undefined) this.#replaced = this.#number;
    const more = this.#bytes + data.length - replaced;
    const [first = null, last = null] = this.#range ?? [];
    this.#rows.push([this.#number, data, this.#block.places, remaining + this.#added, bytes + more, first, last]);
    this.#total += more;
    [this.#bytes, this.#added, this.#before, this.#range] = [0, 0, undefined, undefined];
    this.#number += 1;
    this.#block = new DetailBlock();
  }

  /** Writes the blocks. */
  async write(): Promise<void> {
    if (this.#added > 0) this.#complete();
    if (this.#replaced !== undefined)
      await this.#writing.deleteFrom('log_blocks').where('number', '=', this.#replaced).execute();
    await insertBlocks(this.#writing, this.#kind, this.#rows);
  }
}
