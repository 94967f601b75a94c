import type { Account, ProviderRequest } from './account.ts';
import { answerChunks } from './answers/answer-chunks.ts';
import { accepted } from './ask.ts';

/** The bytes that a provider answers, as they arrive. Throws like `accepted` and `answerChunks`. */
export async function* bytesAt(account: Account, request: ProviderRequest): AsyncGenerator<Uint8Array> {
  yield* answerChunks((await accepted(account, request)).body);
}
