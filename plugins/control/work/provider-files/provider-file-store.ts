import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { onlyNames } from '../../../sdk/http/header-lines.ts';
import { type GatewayResponse, headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { Account } from '../accounts/account.ts';

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

/** Bytes that are counted as they are read. */
export class CountedBytes implements AsyncIterable<Uint8Array> {
  readonly #bytes: AsyncIterable<Uint8Array>;
  #count = 0;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#bytes = bytes;
  }

  /** The number of those that were read so far. */
  get count(): number {
    return this.#count;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for await (const piece of this.#bytes) {
      this.#count += piece.length;
      yield piece;
    }
  }
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
