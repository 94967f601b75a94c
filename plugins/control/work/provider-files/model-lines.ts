import { headerValue } from '../../../sdk/http/http.ts';
import { headerError } from '../../kernel/requests/refusals.ts';
import { accountHeaders } from '../accounts/account-headers.ts';
import { batchAdapters } from '../batches/providers/adapters.ts';
import { validatedLines } from '../batches/providers/input-lines.ts';
import { lineCodec } from '../batches/providers/line-codec.ts';
import type { FilePlace, SentFile } from './provider-file-store.ts';

const { model: modelHeader, batchEndpoint: endpointHeader } = accountHeaders;
const defaultEndpoint = '/v1/chat/completions';
const longestModel = 255;

/** Bytes that a batch can have as its input, and what they are for. */
export interface ModelLines {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly model: string;
  readonly endpoint: string;
}

/**
 * The lines of a batch as the model takes them that a request names; undefined for a file that is kept as it is. The bytes
 * throw the `GatewayError` `invalid-input` for a line that cannot be written so.
 */
export const modelLines = async (
  file: SentFile,
  { account, wholeCatalogue }: FilePlace,
): Promise<ModelLines | undefined> => {
  const model = headerValue(account.headers, modelHeader)?.trim() ?? '';
  const adapter = batchAdapters.get(account.provider);
  if (model === '' || file.purpose !== 'batch' || adapter?.written === undefined) return undefined;
  const { written } = adapter;
  const endpoint = headerValue(account.headers, endpointHeader)?.trim() ?? defaultEndpoint;
  if (!adapter.endpoints.includes(endpoint))
    throw headerError(
      endpointHeader,
      `Batches at ${account.provider} have no "${endpoint.slice(0, 100)}".`,
      `Send one of ${adapter.endpoints.join(', ')}.`,
    );
  if (model.length > longestModel)
    throw headerError(modelHeader, `A model has at most ${longestModel} characters.`, 'Name a model of the provider.');
  const codec = lineCodec(await wholeCatalogue(), account);
  const lines = () => validatedLines(file.bytes, { endpoint, adapter, codec, member: 'file', model });
  return { bytes: written.lines({ lines, model, endpoint }, { account, codec }), model, endpoint };
};
