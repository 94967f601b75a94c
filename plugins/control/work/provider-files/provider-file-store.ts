import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { onlyNames } from '../../../sdk/http/header-lines.ts';
import { type GatewayResponse, headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import { headerError } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { lineCodec } from '../batches/batch/line-codec.ts';
import { batchAdapters } from '../batches/providers/adapters.ts';
import { validatedLines } from '../batches/providers/input-lines.ts';
import { type Account, accountHeaders } from '../provider-requests/account.ts';

const { model: modelHeader, bedrockModel: bedrockHeader, batchEndpoint: endpointHeader } = accountHeaders;
const defaultEndpoint = '/v1/chat/completions';
const longestModel = 255;

/** Reads the model that a batch is for. Bedrock's own header applies if there is no other. Undefined if none names a model. */
const readModel = ({ headers, provider }: Account): { readonly header: string; readonly model: string } | undefined => {
  for (const header of provider === 'bedrock' ? [modelHeader, bedrockHeader] : [modelHeader]) {
    const model = headerValue(headers, header)?.trim() ?? '';
    if (model !== '') return { header, model };
  }
  return undefined;
};

/**
 * Converts the lines of a batch file to the form of the model that the request names, with that model and the endpoint of the
 * lines. Without a model, the file keeps its own bytes. Reading the bytes throws the `GatewayError` `invalid-input` for a line
 * that cannot be converted.
 */
export const modelLines = async (
  file: SentFile,
  { account, wholeCatalogue }: FilePlace,
): Promise<Pick<SentFile, 'bytes'> & { readonly model?: string; readonly endpoint?: string }> => {
  const named = readModel(account);
  const adapter = batchAdapters.get(account.provider);
  if (named === undefined || file.purpose !== 'batch' || adapter?.written === undefined) return { bytes: file.bytes };
  const { header, model } = named;
  const endpoint = headerValue(account.headers, endpointHeader)?.trim() ?? defaultEndpoint;
  if (!adapter.endpoints.includes(endpoint))
    throw headerError(
      endpointHeader,
      `Batches at ${account.provider} do not support "${endpoint.slice(0, 100)}".`,
      `Send one of ${adapter.endpoints.join(', ')}.`,
    );
  if (model.length > longestModel)
    throw headerError(
      header,
      `A model has at most ${longestModel} characters.`,
      'Send the name of a model of the provider.',
    );
  const codec = lineCodec(await wholeCatalogue(), account);
  const lines = () => validatedLines(file.bytes, { endpoint, adapter, codec, member: 'file', model });
  return { bytes: adapter.written.lines({ lines, model, endpoint }, { account, codec }), model, endpoint };
};

/** An uploaded file. */
export interface SentFile {
  readonly filename: string;
  readonly purpose: string;
  /** The number of bytes; absent if it is not known in advance. */
  readonly length?: number;
  /** The bytes, which end only when the rest of the form has arrived and is valid; otherwise they throw. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The destination of a file. */
export interface FilePlace extends Pick<ControlParts, 'wholeCatalogue' | 'now'> {
  readonly account: Account;
  readonly tenant: TenantId;
}

/** A file of a provider. */
export interface ProviderFile {
  readonly id: string;
  /** 0 if the provider does not report the size. */
  readonly bytes: number;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly filename: string;
  readonly purpose: string;
  /** `processed` if absent. */
  readonly status?: 'uploaded' | 'processed' | 'error';
}

/** The operations on files other than uploading and retrieving one. */
export type FileOperation = 'list' | 'content' | 'delete';

/**
 * The files of one provider whose API of files is not OpenAI's. All methods throw a `ProviderRefusal` if the provider refuses.
 * Ids are in the form that `findId` returns.
 */
export interface ProviderFileStore {
  /** The purposes that files can have; all those of the gateway if absent. */
  readonly purposes?: readonly string[];
  /** The operations that clients cannot use, each with a sentence that says what to do instead. */
  readonly lacks: Readonly<Partial<Record<FileOperation, string>>>;
  /** Returns the recorded id of a file, in whatever spelling a client sends it; undefined if the text is not an id. */
  findId(text: string): string | undefined;
  /** Uploads a file. If its bytes throw, nothing is left. Throws the `GatewayError`s `invalid-input` and `conflict`. */
  upload(file: SentFile, place: FilePlace): Promise<ProviderFile>;
  find(id: string, account: Account): Promise<ProviderFile>;
  /** Reads the bytes, or the range that the request asks for; absent if `lacks` names it. */
  content?(id: string, account: Account): Promise<GatewayResponse>;
  remove(id: string, account: Account): Promise<void>;
}

/** Picks the headers of a request that ask for a range of bytes. */
export const rangeHeaders = ({ headers }: Pick<Account, 'headers'>): RawHeaders =>
  onlyNames(headers, ['range', 'if-range']);

/** The headers that describe the bytes of a file to clients. */
const describing = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified'];

/** Picks the headers of a storage response that the client gets. */
export const toContentResponse = (answer: GatewayResponse): GatewayResponse => ({
  ...answer,
  headers: [
    ...['content-type', 'application/octet-stream', 'x-content-type-options', 'nosniff'],
    ...describing.flatMap((name) => {
      const value = headerValue(answer.headers, name);
      return value === undefined ? [] : [name, value];
    }),
  ],
});
