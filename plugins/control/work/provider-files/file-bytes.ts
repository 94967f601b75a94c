import { onlyNames } from '../../../sdk/http/header-lines.ts';
import { type GatewayResponse, headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import type { Account } from '../accounts/account.ts';

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
