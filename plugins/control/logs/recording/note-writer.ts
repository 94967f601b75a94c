import { RecordWriter } from '../../../sdk/records/record-writer.ts';
import { sharedBytes } from '../../../sdk/records/shared-bytes.ts';
import { idBytes, writeNewId } from '../../kernel/store/new-id.ts';

/** A text is no Unicode, so that UTF-8 cannot say it. */
class IllFormedText extends Error {
  override readonly name = 'IllFormedText';
}

/** Writes the members of notes into memory that threads share. */
export class NoteWriter extends RecordWriter {
  constructor(capacity?: number) {
    super(capacity, sharedBytes);
  }

  /** How many bytes its memory has. */
  get capacity(): number {
    return this.memory.length;
  }

  /** A new id, of a time in milliseconds since the epoch. */
  newId(time: number): void {
    const at = this.next(idBytes);
    writeNewId(time, this.view, at);
  }

  /** An id that was made before. */
  id(id: string): void {
    const at = this.next(idBytes);
    this.memory.write(id.replaceAll('-', ''), at, 'hex');
  }

  /** @throws IllFormedText */
  protected override put(text: string, at: number): number {
    const bytes = super.put(text, at);
    if (bytes !== text.length && !text.isWellFormed()) throw new IllFormedText('A text has half a pair of UTF-16.');
    return bytes;
  }
}
