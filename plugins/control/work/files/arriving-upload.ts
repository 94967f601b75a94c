import { gatewayError } from '../../../../schema/errors/errors.ts';
import { findBoundary as boundaryIn, isMultipartForm } from '../../../sdk/multipart/find-boundary.ts';
import { type FormPart, malformed } from '../../../sdk/multipart/form-part.ts';
import { readField } from '../../../sdk/multipart/read-field.ts';
import { readForm } from '../../../sdk/multipart/read-form.ts';
import type { ReceivedBody } from '../../../sdk/route/route-row.ts';
import { lacksNulCharacters } from '../../kernel/records/records.ts';
import { refuse } from '../../kernel/requests/refusals.ts';
import { type FieldName, fieldProblem, missingFields, takeField, type UploadFields } from './upload-fields.ts';

/** The most bytes of a field that is no file. */
const maxFieldBytes = 1_024;
/** What a form may have beside its file. */
const maxBesideFile = 65_536;
const longestFilename = 255;

/** Where the boundary of a form is said. Throws the `GatewayError` `unsupported-upload` for another body. */
const toBoundary = ({ contentType = '', encoding = 'identity' }: ReceivedBody): string => {
  const unsupported = (reason: string) => gatewayError('unsupported-upload', { reason });
  if (encoding.toLowerCase() !== 'identity') throw unsupported(`its content-encoding is ${encoding.slice(0, 100)}.`);
  if (!isMultipartForm(contentType))
    throw unsupported(
      contentType === '' ? 'it has no content-type.' : `its content-type is ${contentType.slice(0, 100)}.`,
    );
  const boundary = boundaryIn(contentType);
  if (boundary === undefined) throw unsupported('its content-type names no boundary, or not one that all read alike.');
  return boundary;
};

async function* toBytes({ body }: ReceivedBody): AsyncGenerator<Uint8Array, void> {
  if (body.kind === 'bytes') yield body.bytes;
  if (body.kind !== 'stream') return;
  const source = body.stream[Symbol.asyncIterator]();
  for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
}

const toFilename = ({ filename = '' }: FormPart): string => {
  if (filename === '' || filename.length > longestFilename)
    refuse([
      fieldProblem(
        'file',
        `The file must have a name of 1 to ${longestFilename} characters.`,
        'Send it as a file, and not as a text.',
      ),
    ]);
  if (!lacksNulCharacters(filename))
    refuse([fieldProblem('file', 'The name of the file has the character U+0000.', 'Give it another name.')]);
  return filename;
};

/** The file of a form, up to which the form has arrived. */
export interface ArrivingUpload {
  readonly filename: string;
  /** The other fields that have come so far. */
  readonly fields: UploadFields;
  /**
   * The file's bytes, which end when all of the form is there, and is right. Throws the `GatewayError`s `malformed-upload`
   * and `invalid-input`.
   */
  readonly bytes: AsyncIterable<Buffer>;
}

export interface UploadBounds {
  /** Of the file; any number if absent. */
  readonly maxBytes?: number;
  /** The fields that a form may have. */
  readonly names: readonly FieldName[];
}

/**
 * Reads a form up to its file, whatever the order of its fields. Rejects with the `GatewayError`s `unsupported-upload`,
 * `malformed-upload`, `invalid-input`, and `file-too-large` where the client says so beforehand.
 */
export const arrivingUpload = async (
  received: ReceivedBody,
  { maxBytes = Number.POSITIVE_INFINITY, names }: UploadBounds,
): Promise<ArrivingUpload> => {
  const boundary = toBoundary(received);
  if ((received.length ?? 0) > maxBytes + maxBesideFile)
    throw gatewayError('file-too-large', { limit: String(maxBytes) });
  const fields: UploadFields = new Map();
  const parts = readForm(toBytes(received), boundary);

  const take = async (part: FormPart): Promise<void> => {
    const problem =
      part.name === 'file'
        ? fieldProblem('file', 'There are two files.', 'Send each with a request of its own.')
        : takeField(fields, { name: part.name, value: await readField(part, maxFieldBytes) }, names);
    if (problem !== undefined) refuse([problem]);
  };

  async function* bytesWithRest(file: FormPart): AsyncGenerator<Buffer, void> {
    yield* file.bytes;
    for await (const part of parts) await take(part);
    refuse(missingFields(fields, true));
  }

  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    const part = next.value;
    if (part.name === 'file') return { filename: toFilename(part), fields, bytes: bytesWithRest(part) };
    await take(part);
  }
  refuse(missingFields(fields, false));
  throw malformed('it has no file.');
};
