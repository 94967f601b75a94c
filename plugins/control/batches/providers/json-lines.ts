import { gatewayError } from '../../../../schema/errors.ts';
import type { JsonObject } from '../../../../schema/json.ts';
import { parseObject } from '../../../../schema/parse-json.ts';
import type { Account, ProviderRequest } from '../../accounts/account.ts';
import { answerChunks } from '../../accounts/answer-chunks.ts';
import { accepted } from '../../accounts/ask.ts';
import { readLines } from '../managed/check/read-lines.ts';

/** The largest line of results. */
const mostLineBytes = 32 * 1024 * 1024;

/** The JSON objects that a provider answers, one in each line. Throws like `ask`. */
export async function* jsonLines(account: Account, request: ProviderRequest): AsyncGenerator<JsonObject> {
  const { body } = await accepted(account, request);
  for await (const { bytes, number } of readLines(answerChunks(body), { most: mostLineBytes })) {
    const line = bytes === undefined ? undefined : parseObject(bytes.toString());
    if (line === undefined) {
      const reason = `line ${number} of its results is not a JSON object.`;
      throw gatewayError('unreadable-answer', { provider: account.provider, reason });
    }
    yield line;
  }
}
