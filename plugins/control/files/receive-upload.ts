import { gatewayError } from '../../../schema/errors.ts';
import type { TenantId } from '../../sdk/exchange.ts';
import type { ReceivedBody } from '../../sdk/route-row.ts';
import { isStorable } from '../saved/records.ts';
import { refuse } from '../saved/refusals.ts';
import type { KeptFiles } from './create-files.ts';
import type { KeptFile } from './files.ts';
import type { ReceivedFile } from './incoming-file.ts';
import { type FormPart, malformed } from './multipart/form-part.ts';
import { readForm } from './multipart/read-form.ts';
import { aboutFile, fieldProblem, missingFields, takeField, type UploadFields } from './upload-fields.ts';

/** The most bytes of a field that is no file. */
const mostFieldBytes = 1_024;
/** What a form may have beside its file. */
const mostBesideFile = 65_536;
const longestFilename = 255;

/** Where the boundary of a form is said. Throws the `GatewayError` `unsupported-upload` for another body. */
const boundaryOf = ({ contentType = '', encoding = 'identity' }: ReceivedBody): string => {
  const unsupported = (reason: string) => gatewayError('unsupported-upload', { reason });
  if (encoding.toLowerCase() !== 'identity') throw unsupported(`its content-encoding is ${encoding.slice(0, 100)}.`);
  if (!/^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType))
    throw unsupported(
      contentType === '' ? 'it has no content-type.' : `its content-type is ${contentType.slice(0, 100)}.`,
    );
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s";]{1,200}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw unsupported('its content-type names no boundary.');
  return boundary;
};

const textOf = async ({ name, bytes }: FormPart): Promise<string> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > mostFieldBytes)
      throw malformed(`the field "${name.slice(0, 100)}" has more than ${mostFieldBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
};

async function* bytesOf({ body }: ReceivedBody): AsyncGenerator<Uint8Array, void> {
  if (body.kind === 'bytes') yield body.bytes;
  if (body.kind !== 'stream') return;
  const source = body.stream[Symbol.asyncIterator]();
  for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
}

export interface Upload {
  readonly tenant: TenantId;
  /** The id of the caller's key. */
  readonly createdBy: string | undefined;
  readonly received: ReceivedBody;
  readonly maxBytes: number;
}

/**
 * Keeps the file of a form that arrives, whatever the order of its fields; where it is refused or breaks off, nothing of it.
 * Rejects with the `GatewayError`s `unsupported-upload`, `malformed-upload`, `invalid-input`, `file-too-large` and
 * `file-quota`.
 */
export const receiveUpload = async (
  files: Pick<KeptFiles, 'receive'>,
  { tenant, createdBy, received, maxBytes }: Upload,
): Promise<KeptFile> => {
  const boundary = boundaryOf(received);
  const { length } = received;
  if (length !== undefined && length > maxBytes + mostBesideFile)
    throw gatewayError('file-too-large', { limit: String(maxBytes) });
  const incoming = { isLimited: true, createdBy, expectedBytes: length };
  const fields: UploadFields = new Map();
  let file: ReceivedFile | undefined;
  let filename = '';

  const takeFile = async (part: FormPart): Promise<void> => {
    if (file !== undefined)
      refuse([fieldProblem('file', 'There are two files.', 'Send each with a request of its own.')]);
    filename = part.filename ?? '';
    if (filename === '' || filename.length > longestFilename)
      refuse([
        fieldProblem(
          'file',
          `The file must have a name of 1 to ${longestFilename} characters.`,
          'Send it as a file, and not as a text.',
        ),
      ]);
    if (!isStorable(filename))
      refuse([fieldProblem('file', 'The name of the file has the character U+0000.', 'Give it another name.')]);
    file = await files.receive(tenant, incoming, part.bytes);
  };

  try {
    for await (const part of readForm(bytesOf(received), boundary)) {
      if (part.name === 'file') await takeFile(part);
      else {
        const problem = takeField(fields, part.name, await textOf(part));
        if (problem !== undefined) refuse([problem]);
      }
    }
    refuse(missingFields(fields, file !== undefined));
    if (file === undefined) throw malformed('it has no file.');
    return await file.finish(aboutFile(fields, filename));
  } catch (error) {
    await file?.abandon();
    throw error;
  }
};
