import { RecordReader } from '../../../sdk/records/record-reader.ts';
import { idBytes, idOfBytes } from '../../kernel/store/new-id.ts';

/** Reads what a `NoteWriter` has written. Absent members are undefined. */
export class NoteReader extends RecordReader {
  id(): string {
    return idOfBytes(this.part(idBytes));
  }

  optionalText(): string | undefined {
    return this.textOrNull() ?? undefined;
  }

  optionalNumber(): number | undefined {
    return this.numberOrNull() ?? undefined;
  }
}
