import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { ReceivedBody } from '../../../sdk/route/route-row.ts';
import type { WorkParts } from '../accounts/work-parts.ts';
import { arrivingUpload } from '../files/arriving-upload.ts';
import type { SentFile } from './provider-file-store.ts';

async function* atMost(bytes: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const piece of bytes) {
    count += piece.length;
    if (count > limit) throw gatewayError('file-too-large', { limit: String(limit) });
    yield piece;
  }
}

type Parts = Pick<WorkParts, 'blobs' | 'fileLimits'>;

/**
 * Gives `run` the file of a form as it arrives. Where the form says only behind the file what that is for, the gateway keeps
 * its bytes, sealed, until `run` has read them. Rejects like `run` and `arrivingUpload`.
 */
export const withSentFile = async <Result>(
  received: ReceivedBody,
  { blobs, fileLimits, tenant }: Parts & { readonly tenant: TenantId },
  run: (file: SentFile) => Promise<Result>,
): Promise<Result> => {
  const { filename, fields, bytes } = await arrivingUpload(received, { names: ['purpose'] });
  const purpose = fields.get('purpose');
  if (purpose !== undefined) return run({ filename, purpose, bytes });
  const ref = await blobs.write({ tenant, isProvisional: true }, atMost(bytes, fileLimits.maxBytes));
  try {
    return await run({ filename, purpose: fields.get('purpose') ?? '', length: ref.bytes, bytes: blobs.read(ref) });
  } finally {
    // The sweep removes what cannot be removed now.
    await blobs.remove(ref).catch(() => {});
  }
};
