import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { ReceivedBody } from '../../../sdk/route/route-row.ts';
import { arrivingUpload } from './arriving-upload.ts';
import type { StoredFiles } from './create-files.ts';
import type { StoredFile } from './files.ts';
import { aboutFile, fieldNames } from './upload-fields.ts';

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
  files: Pick<StoredFiles, 'receive'>,
  { tenant, createdBy, received, maxBytes }: Upload,
): Promise<StoredFile> => {
  const { filename, fields, bytes } = await arrivingUpload(received, { maxBytes, names: fieldNames });
  const incoming = { isLimited: true, createdBy, expectedBytes: received.length };
  const file = await files.receive(tenant, incoming, bytes);
  try {
    return await file.finish(aboutFile(fields, filename));
  } catch (error) {
    await file.abandon();
    throw error;
  }
};
