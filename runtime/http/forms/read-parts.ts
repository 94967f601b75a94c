import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { modelMembers } from '../../../plugins/sdk/models/body-models.ts';
import { foldName } from '../../../plugins/sdk/models/fold-name.ts';
import { type FormPart, malformed } from '../../../plugins/sdk/multipart/form-part.ts';
import { maxModelBytes, readField } from '../../../plugins/sdk/multipart/read-field.ts';
import { readForm } from '../../../plugins/sdk/multipart/read-form.ts';
import { timesIn } from '../../../plugins/sdk/multipart/times-in.ts';
import { type ReadPart, toKey } from './form-fields.ts';

/** The maximum number of bytes of one field, and of all fields together. */
const maxFieldBytes = 256 * 1024;
const maxFieldsBytes = 1024 * 1024;

/** Counts how often a text occurs in bytes that arrive in pieces. The text must not overlap with itself. */
class Occurrences {
  count = 0;
  readonly #text: Buffer;
  /** The bytes before a piece that may contain the beginning of the text. */
  #before: Buffer = Buffer.alloc(0);

  constructor(text: string) {
    this.#text = Buffer.from(text);
  }

  push(chunk: Uint8Array): void {
    const bytes = toBuffer(chunk);
    const border = this.#text.length - 1;
    this.count += timesIn(bytes, this.#text);
    // The piece is not copied as a whole, because it may be as large as the form.
    this.count += timesIn(Buffer.concat([this.#before, bytes.subarray(0, border)]), this.#text);
    const end = Buffer.concat([this.#before, bytes.subarray(-border)]);
    this.#before = end.subarray(Math.max(0, end.length - border));
  }
}

const readPart = async (part: FormPart, fieldBytes: number): Promise<ReadPart> => {
  const { name, filename, place } = part;
  const namesModel = modelMembers.has(foldName(toKey(name)));
  if (filename === undefined) {
    const max = Math.min(namesModel ? maxModelBytes : maxFieldBytes, maxFieldsBytes - fieldBytes);
    return { name, place, value: await readField(part, max) };
  }
  if (namesModel) throw malformed(`its field "${name}" is a file. Send it as a text.`);
  return { name, place, value: { file: filename } };
};

/**
 * Reads all parts of a form. Rejects with the `GatewayError` `malformed-upload` for a form that is not well-formed, that exceeds
 * a limit, or in which another reader could find other parts.
 */
export const readParts = async (bytes: AsyncIterable<Uint8Array>, boundary: string): Promise<readonly ReadPart[]> => {
  const boundaries = new Occurrences(`--${boundary}`);
  const source = bytes[Symbol.asyncIterator]();
  const counted = async function* () {
    for (;;) {
      const { done, value } = await source.next();
      if (done === true) return;
      boundaries.push(value);
      yield value;
    }
  };
  const rest = counted();
  const parts: ReadPart[] = [];
  let fieldBytes = 0;
  for await (const part of readForm(rest, boundary)) {
    const read = await readPart(part, fieldBytes);
    if (typeof read.value === 'string') fieldBytes += Buffer.byteLength(read.value);
    parts.push(read);
  }
  for await (const _ of rest);
  // A reader that continues after the last part, or that accepts other line ends, would find parts there.
  if (boundaries.count !== parts.length + 1) throw malformed('its boundary also occurs where no part begins.');
  return parts;
};
