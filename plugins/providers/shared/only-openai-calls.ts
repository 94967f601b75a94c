import { passedSegments } from '../../sdk/http/passed-segments.ts';
import { changesAccount } from '../../sdk/provider/account-changes/changes-account.ts';
import type { ChangesAccount } from '../../sdk/provider/account-changes/passed-request.ts';

/** The first segments of calls of models, and of things that callers make for themselves, in OpenAI's API. */
const calls: ReadonlySet<string> = new Set([
  ...[
    'chat',
    'completions',
    'responses',
    'conversations',
    'messages',
    'embeddings',
    'embed',
    'moderations',
    'images',
    'audio',
  ],
  ...[
    'files',
    'uploads',
    'batches',
    'vector_stores',
    'rerank',
    'score',
    'classify',
    'tokenize',
    'detokenize',
    'models',
  ],
]);

/**
 * The rule for services that follow OpenAI, and whose own paths beside that administer what all share: they load models, make
 * keys, or change settings.
 */
export const onlyOpenaiCalls: ChangesAccount = (request) =>
  changesAccount(request) || !calls.has(passedSegments(request.path)[0] ?? '');
