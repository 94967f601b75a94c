import { gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { Account, ProviderRequest } from '../../accounts/account.ts';
import { bytesAt } from '../../accounts/ask.ts';

/** The largest line of a file at a provider. */
export const maxLineBytes: number = 32 * 1024 * 1024;

/** The JSON objects that a provider's file has, one in each line. Throws the `GatewayError` `unreadable-answer`. */
export async function* objectLines(pieces: AsyncIterable<Uint8Array>, provider: string): AsyncGenerator<JsonObject> {
  for await (const { bytes, number } of readLines(pieces, maxLineBytes)) {
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

/** Reads the lines of a file that have anything in them; no more than one of them, of at most so many bytes, is in memory. */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
  first = 1,
): AsyncGenerator<ReadLine, void> {
  let [number, from, length] = [first, 0, 0];
  let kept: Uint8Array[] = [];

  const take = (piece: Uint8Array): void => {
    length += piece.length;
    if (length <= maxBytes) kept.push(Buffer.from(piece));
    else kept = [];
  };

  /** Ends a line; undefined if it has nothing in it. */
  const end = (): ReadLine | undefined => {
    const bytes = length <= maxBytes ? Buffer.concat(kept) : undefined;
    const line = { number, from, to: from + length, bytes };
    [number, from, length, kept] = [number + 1, line.to + 1, 0, []];
    return bytes === undefined || bytes.some((byte) => byte > 32) ? line : undefined;
  };

  for await (const piece of pieces) {
    let at = 0;
    for (let next = piece.indexOf(lineFeed); next !== -1; next = piece.indexOf(lineFeed, at)) {
      take(piece.subarray(at, next));
      at = next + 1;
      const line = end();
      if (line !== undefined) yield line;
    }
    take(piece.subarray(at));
  }
  const last = end();
  if (last !== undefined) yield last;
}
