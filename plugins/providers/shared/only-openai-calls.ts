import { passedSegments } from '../../sdk/http/passed-segments.ts';
import { changesAccount } from '../../sdk/provider/account-changes/changes-account.ts';
import type { ChangesAccount } from '../../sdk/provider/account-changes/passed-request.ts';

/** The first path segments, in OpenAI's API, of calls to models and of resources that callers create for themselves. */
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
    'realtime',
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
 * The rule for services that follow OpenAI and have other paths that administer what all callers share: these load models, create
 * keys, or change settings.
 */
export const onlyOpenaiCalls: ChangesAccount = (request) =>
  changesAccount(request) || !calls.has(passedSegments(request.path)[0] ?? '');
