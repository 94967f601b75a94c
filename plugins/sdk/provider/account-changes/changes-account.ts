import { passedSegments } from '../../http/passed-segments.ts';
import { type ChangesAccount, isReading } from './passed-request.ts';

/** Segments for administering an account: its members, keys and bills. Callers of models may not even read them. */
const administration: ReadonlySet<string> = new Set(['organization', 'organizations', 'admin']);

/** Collections shared by everyone who uses an account. A request that names one either calls a model in it or changes it. */
const collections: ReadonlySet<string> = new Set([
  ...['models', 'model', 'tunedmodels', 'deployments', 'engines', 'endpoints', 'deployedmodels'],
  ...['finetuned-models', 'permissions', 'connectors', 'api_keys', 'apikeys', 'projects', 'users'],
]);

/** Segments after the name of a model that call it. */
const calls: ReadonlySet<string> = new Set([
  ...[
    'chat',
    'completions',
    'embeddings',
    'responses',
    'messages',
    'images',
    'audio',
    'moderations',
    'rerank',
    'score',
  ],
  ...[
    'generations',
    'edits',
    'variations',
    'transcriptions',
    'translations',
    'speech',
    'predictions',
    'realtime',
    'videos',
  ],
  ...['invoke', 'invoke-with-response-stream', 'converse', 'converse-stream', 'count-tokens', 'generate', 'extensions'],
]);

/** Verbs of Google's APIs that call a model, in lower case. */
const callingVerbs: ReadonlySet<string> = new Set([
  ...['generatecontent', 'streamgeneratecontent', 'counttokens', 'computetokens', 'embedcontent', 'batchembedcontents'],
  ...[
    'predict',
    'rawpredict',
    'streamrawpredict',
    'serverstreamingpredict',
    'predictlongrunning',
    'fetchpredictoperation',
  ],
  ...[
    'directpredict',
    'directrawpredict',
    'streamdirectpredict',
    'streamdirectrawpredict',
    'streamingpredict',
    'explain',
  ],
  ...['generateanswer', 'generatemessage', 'generatetext', 'countmessagetokens', 'counttexttokens', 'embedtext'],
  ...['batchembedtext', 'batchgeneratecontent', 'asyncbatchembedcontent', 'evaluateinstances'],
]);

/** First segments of things that callers create for themselves, and may therefore change and remove. */
const own: ReadonlySet<string> = new Set([
  ...['files', 'uploads', 'batches', 'responses', 'conversations', 'chat', 'messages', 'assistants', 'threads'],
  ...['vector_stores', 'containers', 'videos', 'images', 'audio', 'evals', 'realtime', 'fine_tuning', 'fine-tunes'],
  ...['datasets', 'embed-jobs', 'agents', 'libraries', 'cachedcontents', 'corpora'],
]);

/** Whether a path ends with a verb that calls a model. */
export const endsInCall = (segments: readonly string[]): boolean => {
  const [, verb = ''] = /:([a-z]+)$/.exec(segments.at(-1) ?? '') ?? [];
  return callingVerbs.has(verb);
};

/** Whether the segments after a collection call a model in it. */
const isCall = (behind: readonly string[]): boolean =>
  behind.some((segment) => calls.has(segment)) || endsInCall(behind);

/**
 * The rule for APIs like OpenAI's, and the default for providers. Reading is allowed. Sending by POST is allowed, unless the path
 * names a shared collection and does not call a model in it. Everything else is only allowed for things that callers create
 * themselves.
 */
export const changesAccount: ChangesAccount = (request) => {
  const segments = passedSegments(request.path);
  if (segments.some((segment) => administration.has(segment))) return true;
  if (isReading(request)) return false;
  const at = segments.findIndex((segment) => collections.has(segment));
  const isPost = request.method.toUpperCase() === 'POST';
  if (at !== -1) return !(isPost && isCall(segments.slice(at + 1)));
  return !isPost && !own.has(segments[0] ?? '');
};
