import { withoutServiceKeys } from '../../../../schema/credentials/without-service-keys.ts';
import { type RowValues, rowInserter } from '../../kernel/store/rows/row-inserter.ts';
import { DetailBlock, linesOfBlock } from '../store/detail-blocks.ts';
import { logColumns } from '../store/log-columns.ts';
import type { LogStore, LogWriting } from '../store/log-store.ts';

/** The place of the detail of a record. */
export interface DetailPlace {
  readonly block: number;
  readonly place: number;
}

/** A block with fewer records, in fewer bytes, takes more: where few come at once, they share one all the same. */
const fewPlaces = 64;
const fewBytes = 8 * 1024;

const insertBlocks = rowInserter('log_blocks', { columns: logColumns.log_blocks, merge: 'refuse' });

/** Puts what records say beside their columns into blocks, in one transaction. */
export class WrittenBlocks {
  readonly #writing: LogWriting;
  readonly #kind: LogStore['kind'];
  /** Those that are complete. */
  readonly #rows: RowValues[] = [];
  #number: number;
  #block = new DetailBlock();
  /** The bytes that the records which were added to the block take beside it, and their number. */
  #bytes = 0;
  #added = 0;
  /** The block that was there before, and is replaced. */
  #before: { readonly data: number; readonly remaining: number; readonly bytes: number } | undefined;
  #replaced: number | undefined;
  #total = 0;

  private constructor(writing: LogWriting, kind: LogStore['kind'], number: number) {
    this.#writing = writing;
    this.#kind = kind;
    this.#number = number;
  }

  /** @param extends whether records may join those of an earlier transaction */
  static async of(
    writing: LogWriting,
    { kind, extends: isExtended }: { readonly kind: LogStore['kind']; readonly extends: boolean },
  ): Promise<WrittenBlocks> {
    const last = await writing
      .selectFrom('log_blocks')
      .select(['number', 'places'])
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    const blocks = new WrittenBlocks(writing, kind, (last?.number ?? 0) + 1);
    if (isExtended && last !== undefined && last.places < fewPlaces) await blocks.#extend(last.number);
    return blocks;
  }

  async #extend(number: number): Promise<void> {
    const last = await this.#writing
      .selectFrom('log_blocks')
      .selectAll()
      .where('number', '=', number)
      .executeTakeFirst();
    if (last === undefined || last.data.length > fewBytes) return;
    this.#number = number;
    this.#block = new DetailBlock(linesOfBlock(last.data));
    this.#before = { data: last.data.length, remaining: last.remaining, bytes: last.bytes };
  }

  /** The bytes of all of it, once it is written. */
  get bytes(): number {
    return this.#total;
  }

  /** @param bytes what the record takes beside it */
  add(detail: string, bytes: number): DetailPlace {
    if (!this.#block.hasRoomFor(detail)) this.#complete();
    this.#bytes += bytes;
    this.#added += 1;
    return { block: this.#number, place: this.#block.add(detail) };
  }

  #complete(): void {
    const { data: replaced, remaining, bytes } = this.#before ?? { data: 0, remaining: 0, bytes: 0 };
    const data = this.#block.compressed(withoutServiceKeys);
    if (this.#before !== undefined) this.#replaced = this.#number;
    const more = this.#bytes + data.length - replaced;
    this.#rows.push([this.#number, data, this.#block.places, remaining + this.#added, bytes + more]);
    this.#total += more;
    [this.#bytes, this.#added, this.#before] = [0, 0, undefined];
    this.#number += 1;
    this.#block = new DetailBlock();
  }

  /** Writes them. */
  async write(): Promise<void> {
    if (this.#added > 0) this.#complete();
    if (this.#replaced !== undefined)
      await this.#writing.deleteFrom('log_blocks').where('number', '=', this.#replaced).execute();
    await insertBlocks(this.#writing, this.#kind, this.#rows);
  }
}
