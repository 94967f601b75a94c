import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { onlyNames } from '../../../sdk/http/header-lines.ts';
import { type GatewayResponse, headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import { headerError } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { type Account, accountHeaders } from '../accounts/account.ts';
import { lineCodec } from '../batches/batch/line-codec.ts';
import { batchAdapters } from '../batches/providers/adapters.ts';
import { validatedLines } from '../batches/providers/input-lines.ts';

const { model: modelHeader, bedrockModel: bedrockHeader, batchEndpoint: endpointHeader } = accountHeaders;
const defaultEndpoint = '/v1/chat/completions';
const longestModel = 255;

/** Reads the model that a batch is for; Bedrock's own header counts where there is no other. Undefined where none names one. */
const readModel = ({ headers, provider }: Account): { readonly header: string; readonly model: string } | undefined => {
  for (const header of provider === 'bedrock' ? [modelHeader, bedrockHeader] : [modelHeader]) {
    const model = headerValue(headers, header)?.trim() ?? '';
    if (model !== '') return { header, model };
  }
  return undefined;
};

/**
 * Writes the lines of a batch as the model takes them that a request names, with the model and the endpoint that they are for;
 * a file that is stored as it is has its own bytes alone. The bytes throw the `GatewayError` `invalid-input` for a line that
 * cannot be written so.
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
      `Batches at ${account.provider} have no "${endpoint.slice(0, 100)}".`,
      `Send one of ${adapter.endpoints.join(', ')}.`,
    );
  if (model.length > longestModel)
    throw headerError(header, `A model has at most ${longestModel} characters.`, 'Name a model of the provider.');
  const codec = lineCodec(await wholeCatalogue(), account);
  const lines = () => validatedLines(file.bytes, { endpoint, adapter, codec, member: 'file', model });
  return { bytes: adapter.written.lines({ lines, model, endpoint }, { account, codec }), model, endpoint };
};

/** A file as its client sends it. */
export interface SentFile {
  readonly filename: string;
  readonly purpose: string;
  /** The number of bytes; absent where it is not known before they have come. */
  readonly length?: number;
  /** They end when all that was sent with the file is there and right; otherwise they throw. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Where a file is sent to. */
export interface FilePlace extends Pick<ControlParts, 'wholeCatalogue' | 'now'> {
  readonly account: Account;
  readonly tenant: TenantId;
}

/** A file of a provider. */
export interface ProviderFile {
  readonly id: string;
  /** 0 where the provider does not say how many there are. */
  readonly bytes: number;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly filename: string;
  readonly purpose: string;
  /** `processed` if absent. */
  readonly status?: 'uploaded' | 'processed' | 'error';
}

/** The operations of clients on files, beside sending and reading their records. */
export type FileOperation = 'list' | 'content' | 'delete';

/**
 * The files of one provider that has no API of files in OpenAI's form. All of it throws a `ProviderRefusal` where the provider
 * refuses, and ids are as `findId` reads them.
 */
export interface ProviderFileStore {
  /** The purposes that files can have; all those of the gateway if absent. */
  readonly purposes?: readonly string[];
  /** The operations that clients lack, each with a sentence that says what they do in place of it. */
  readonly lacks: Readonly<Partial<Record<FileOperation, string>>>;
  /** Reads the id that is recorded of a file, however a client spells it; undefined for what is no id. */
  findId(text: string): string | undefined;
  /** Leaves nothing of a file whose bytes throw. Throws the `GatewayError`s `invalid-input` and `conflict`. */
  upload(file: SentFile, place: FilePlace): Promise<ProviderFile>;
  find(id: string, account: Account): Promise<ProviderFile>;
  /** The bytes, or the range of them that the request asks for; absent where `lacks` says so. */
  content?(id: string, account: Account): Promise<GatewayResponse>;
  remove(id: string, account: Account): Promise<void>;
}

/** Picks the headers of a request that ask for a range of bytes. */
export const rangeHeaders = ({ headers }: Pick<Account, 'headers'>): RawHeaders =>
  onlyNames(headers, ['range', 'if-range']);

/** The headers that describe the bytes of a file to clients. */
const describing = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified'];

/** Picks the headers of a storage's answer that its client is given. */
export const asContent = (answer: GatewayResponse): GatewayResponse => ({
  ...answer,
  headers: [
    ...['content-type', 'application/octet-stream', 'x-content-type-options', 'nosniff'],
    ...describing.flatMap((name) => {
      const value = headerValue(answer.headers, name);
      return value === undefined ? [] : [name, value];
    }),
  ],
});
