import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { findBoundary as boundaryIn, isMultipartForm } from '../../../sdk/multipart/find-boundary.ts';
import { type FormPart, malformed } from '../../../sdk/multipart/form-part.ts';
import { readField } from '../../../sdk/multipart/read-field.ts';
import { readForm } from '../../../sdk/multipart/read-form.ts';
import type { ReceivedBody } from '../../../sdk/route/route-row.ts';
import { lacksNulCharacters } from '../../kernel/records/records.ts';
import { refuse } from '../../kernel/requests/refusals.ts';
import type { StoredFiles } from './create-files.ts';
import type { FileAbout, StoredFile } from './files.ts';

/** The purposes of files. */
export const uploadPurposes = ['batch', 'fine-tune', 'assistants', 'vision', 'user_data', 'evals'] as const;

/** The limits of the time that an upload may ask to be stored, in seconds: an hour, and 30 days. */
const shortestSeconds = 3_600;
const longestSeconds = 2_592_000;

/** The fields of an upload other than the file. */
const fieldNames = ['purpose', 'expires_after[anchor]', 'expires_after[seconds]'] as const;
type FieldName = (typeof fieldNames)[number];

/** Creates a problem report for a field. */
const fieldProblem = (name: string, message: string, hint: string): InputProblem => ({
  pointer: toPointer(name.split(/[[\]]+/).filter((segment) => segment !== '')),
  message,
  hint,
});

const purposes = uploadPurposes.join(', ');

const validates: { readonly [Name in FieldName]: (value: string) => string | undefined } = {
  purpose: (value) => (uploadPurposes.some((each) => each === value) ? undefined : `one of ${purposes}`),
  'expires_after[anchor]': (value) => (value === 'created_at' ? undefined : 'created_at'),
  'expires_after[seconds]': (value) =>
    /^[0-9]{1,9}$/.test(value) && Number(value) >= shortestSeconds && Number(value) <= longestSeconds
      ? undefined
      : `a whole number of ${shortestSeconds} to ${longestSeconds}`,
};

/** The fields received so far. */
type UploadFields = Map<FieldName, string>;

/** Checks a field against those that came before it, and stores it if it is valid. Returns what is wrong otherwise. */
const takeField = (
  fields: UploadFields,
  { name: given, value }: { readonly name: string; readonly value: string },
  names: readonly FieldName[],
): InputProblem | undefined => {
  const shown = given.slice(0, 100);
  const name = names.find((each) => each === given);
  if (name === undefined)
    return fieldProblem(shown, `A file has no field "${shown}".`, `The fields are file, ${names.join(', ')}.`);
  if (fields.has(name)) return fieldProblem(name, `The field ${name} occurs twice.`, 'Send it once.');
  const wanted = validates[name](value);
  if (wanted !== undefined) return fieldProblem(name, `The field ${name} must be ${wanted}.`, 'Correct it.');
  fields.set(name, value);
  return undefined;
};

/** Lists the fields that are missing when the form has ended. */
const missingFields = (fields: UploadFields, hasFile: boolean): readonly InputProblem[] => [
  ...(hasFile ? [] : [fieldProblem('file', 'The file is missing.', 'Send it as the field file, with a file name.')]),
  ...(fields.has('purpose') ? [] : [fieldProblem('purpose', 'The purpose is missing.', `Send one of ${purposes}.`)]),
  ...(fields.has('expires_after[anchor]') === fields.has('expires_after[seconds]')
    ? []
    : [fieldProblem('expires_after', 'The expiry needs an anchor and seconds.', 'Send both or neither.')]),
];

/** Reads the description of the file from the fields. */
const aboutFile = (fields: UploadFields, filename: string): FileAbout => {
  const seconds = fields.get('expires_after[seconds]');
  return {
    purpose: fields.get('purpose') ?? '',
    filename,
    ...(seconds === undefined ? {} : { keepMs: Number(seconds) * 1000 }),
  };
};

/** The maximum size of a field that is not the file, in bytes. */
const maxFieldBytes = 1_024;
/** The maximum size of a form excluding its file, in bytes. */
const maxBesideFile = 65_536;
const longestFilename = 255;

/** Returns the boundary of a form. Throws the `GatewayError` `unsupported-upload` if the body is not a form. */
const toBoundary = ({ contentType = '', encoding = 'identity' }: ReceivedBody): string => {
  const unsupported = (reason: string) => gatewayError('unsupported-upload', { reason });
  if (encoding.toLowerCase() !== 'identity') throw unsupported(`its content-encoding is ${encoding.slice(0, 100)}.`);
  if (!isMultipartForm(contentType))
    throw unsupported(
      contentType === '' ? 'it has no content-type.' : `its content-type is ${contentType.slice(0, 100)}.`,
    );
  const boundary = boundaryIn(contentType);
  if (boundary === undefined)
    throw unsupported('its content-type has no boundary, or one that parsers interpret differently.');
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
        'Send it as a file instead of a text field.',
      ),
    ]);
  if (!lacksNulCharacters(filename))
    refuse([fieldProblem('file', 'The name of the file contains the character U+0000.', 'Give it another name.')]);
  return filename;
};

/**
 * Reads a form up to its file, with its fields in any order. Rejects with the `GatewayError`s `unsupported-upload`,
 * `malformed-upload`, `invalid-input`, and `file-too-large` if the client announces such a size.
 */
export const arrivingUpload = async (
  received: ReceivedBody,
  {
    maxBytes = Number.POSITIVE_INFINITY,
    names,
  }: {
    /** The maximum size of the file; unlimited if absent. */
    readonly maxBytes?: number;
    /** The fields that a form may have. */
    readonly names: readonly FieldName[];
  },
): Promise<{
  readonly filename: string;
  /** The other fields received so far. */
  readonly fields: UploadFields;
  /**
   * The file's bytes, which end only when the whole form has arrived and is valid. Throws the `GatewayError`s `malformed-upload`
   * and `invalid-input`.
   */
  readonly bytes: AsyncIterable<Buffer>;
}> => {
  const boundary = toBoundary(received);
  if ((received.length ?? 0) > maxBytes + maxBesideFile)
    throw gatewayError('file-too-large', { limit: String(maxBytes) });
  const fields: UploadFields = new Map();
  const parts = readForm(toBytes(received), boundary);

  const take = async (part: FormPart): Promise<void> => {
    const problem =
      part.name === 'file'
        ? fieldProblem('file', 'There are two files.', 'Send each in a separate request.')
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

/**
 * Stores the file of an arriving form, with its fields in any order. If it is refused or breaks off, nothing of it is stored.
 * Rejects with the `GatewayError`s `unsupported-upload`, `malformed-upload`, `invalid-input`, `file-too-large` and `file-quota`.
 */
export const receiveUpload = async (
  files: Pick<StoredFiles, 'receive'>,
  {
    tenant,
    createdBy,
    received,
    maxBytes,
  }: {
    readonly tenant: TenantId;
    /** The id of the caller's key. */
    readonly createdBy: string | undefined;
    readonly received: ReceivedBody;
    readonly maxBytes: number;
  },
): Promise<StoredFile> => {
  const { filename, fields, bytes } = await arrivingUpload(received, { maxBytes, names: fieldNames });
  return files.receive(tenant, { isLimited: true, createdBy, expectedBytes: received.length }, bytes, () =>
    aboutFile(fields, filename),
  );
};
