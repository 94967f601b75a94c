import { gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { Account, ProviderRequest } from '../../accounts/account.ts';
import { bytesAt } from '../../accounts/ask.ts';
import { readLines } from './read-lines.ts';

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
