import { RecordReader } from '../../../sdk/binary/record-reader.ts';
import { RecordWriter } from '../../../sdk/binary/record-writer.ts';
import { sharedBytes } from '../../../sdk/binary/shared-bytes.ts';
import { idBytes, idOfBytes, writeNewId } from '../../kernel/store/new-id.ts';

/** Reads what a `NoteWriter` has written. Absent members are undefined. */
export class NoteReader extends RecordReader {
  #isStorable = true;

  /**
   * Whether no text that was read has a character that a database cannot store: U+0000 or half of a surrogate pair. In JSON, these
   * are escapes.
   */
  get isStorable(): boolean {
    return this.#isStorable;
  }

  protected override spelled(): string {
    const text = super.spelled();
    if (text.includes('\0') || text.includes('\\u')) this.#isStorable = false;
    return text;
  }

  id(): string {
    return idOfBytes(this.part(idBytes));
  }

  optionalText(): string | undefined {
    return this.textOrNull() ?? undefined;
  }

  optionalNumber(): number | undefined {
    return this.numberOrNull() ?? undefined;
  }

  /** Reads items, each of which begins with a name, up to the absent name that ends the list. */
  list<Item>(read: (name: string) => Item): readonly Item[] {
    const items: Item[] = [];
    for (let name = this.textOrNull(); name !== null; name = this.textOrNull()) items.push(read(name));
    return items;
  }
}

/** A text is not valid Unicode, so UTF-8 cannot express it. */
class IllFormedText extends Error {
  override readonly name = 'IllFormedText';
}

/** Writes the members of notes into memory that threads share. */
export class NoteWriter extends RecordWriter {
  constructor(capacity?: number) {
    super(capacity, sharedBytes);
  }

  /** The size of its memory in bytes. */
  get capacity(): number {
    return this.memory.length;
  }

  /** Writes the bytes of an id, or a new id for a time in milliseconds since the epoch. */
  idOrNew(id: Uint8Array | number): this {
    const at = this.next(idBytes);
    if (typeof id === 'number') writeNewId(id, this.view, at);
    else this.memory.set(id, at);
    return this;
  }

  /** Writes an existing id. */
  id(id: string): this {
    const at = this.next(idBytes);
    this.memory.write(id.replaceAll('-', ''), at, 'hex');
    return this;
  }

  /** @throws IllFormedText */
  protected override put(text: string, at: number): number {
    const bytes = super.put(text, at);
    if (bytes !== text.length && !text.isWellFormed())
      throw new IllFormedText('A text has an unpaired UTF-16 surrogate.');
    return bytes;
  }
}
