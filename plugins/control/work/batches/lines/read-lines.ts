import { gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { Account, ProviderRequest } from '../../accounts/account.ts';
import { bytesAt } from '../../accounts/bytes-at.ts';

/** The largest line of a file at a provider. */
export const maxLineBytes: number = 32 * 1024 * 1024;

/** The JSON objects that a provider's file has, one in each line. Throws the `GatewayError` `unreadable-answer`. */
export async function* objectLines(pieces: AsyncIterable<Uint8Array>, provider: string): AsyncGenerator<JsonObject> {
  for await (const { bytes, number } of readLines(pieces, { most: maxLineBytes })) {
    const line = bytes === undefined ? undefined : parseObject(bytes.toString());
    if (line === undefined)
      throw gatewayError('unreadable-answer', { provider, reason: `line ${number} of its file is not a JSON object.` });
    yield line;
  }
}

/** The JSON objects that a provider answers, one in each line. Throws like `ask`. */
export async function* jsonLines(account: Account, request: ProviderRequest): AsyncGenerator<JsonObject> {
  yield* objectLines(bytesAt(account, request), account.provider);
}

/** A line of a file: its number from 1, and where it is; `to` is behind its last byte, the line feed not among them. */
export interface ReadLine {
  readonly number: number;
  readonly from: number;
  readonly to: number;
  /** Undefined if it is longer than it may be. */
  readonly bytes: Buffer | undefined;
}

const lineFeed = 10;

/** The lines of a file that have anything in them, one at a time; no more than one is in memory. */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  {
    most,
    number: first = 1,
    from: start = 0,
  }: { readonly most: number; readonly number?: number; readonly from?: number },
): AsyncGenerator<ReadLine, void> {
  let number = first;
  let from = start;
  let length = 0;
  let kept: Uint8Array[] = [];

  const take = (piece: Uint8Array): void => {
    length += piece.length;
    if (length <= most) kept.push(Buffer.from(piece));
    else kept = [];
  };

  /** The line that ends here. */
  const end = (): ReadLine => {
    const line = { number, from, to: from + length, bytes: length <= most ? Buffer.concat(kept) : undefined };
    number += 1;
    from += length + 1;
    length = 0;
    kept = [];
    return line;
  };

  const hasText = ({ bytes }: ReadLine): boolean => bytes === undefined || bytes.some((byte) => byte > 32);

  for await (const piece of pieces) {
    let at = 0;
    for (let next = piece.indexOf(lineFeed); next !== -1; next = piece.indexOf(lineFeed, at)) {
      take(piece.subarray(at, next));
      at = next + 1;
      const line = end();
      if (hasText(line)) yield line;
    }
    take(piece.subarray(at));
  }
  const last = end();
  if (last.to > last.from && hasText(last)) yield last;
}
