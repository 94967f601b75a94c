import { passedSegments } from '../../http/passed-segments.ts';
import { type ChangesAccount, isReading } from './passed-request.ts';

/** Of whoever administers an account: who is in it, its keys and its bills. Not even read by those who call models. */
const administration: ReadonlySet<string> = new Set(['organization', 'organizations', 'admin']);

/** Collections that belong to all who share an account: whoever names one calls a model in it, or changes it. */
const collections: ReadonlySet<string> = new Set([
  ...['models', 'model', 'tunedmodels', 'deployments', 'engines', 'endpoints', 'deployedmodels'],
  ...['finetuned-models', 'permissions', 'connectors', 'api_keys', 'apikeys', 'projects', 'users'],
]);

/** Segments behind the name of a model by which it is called. */
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

/** Verbs of Google's APIs by which a model is called, in lower case. */
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

/** First segments of things that callers make for themselves: they change and remove them, too. */
const own: ReadonlySet<string> = new Set([
  ...['files', 'uploads', 'batches', 'responses', 'conversations', 'chat', 'messages', 'assistants', 'threads'],
  ...['vector_stores', 'containers', 'videos', 'images', 'audio', 'evals', 'realtime', 'fine_tuning', 'fine-tunes'],
  ...['datasets', 'embed-jobs', 'agents', 'libraries', 'cachedcontents', 'corpora'],
]);

/** Whether a path ends with a verb by which a model is called. */
export const endsInCall = (segments: readonly string[]): boolean => {
  const [, verb = ''] = /:([a-z]+)$/.exec(segments.at(-1) ?? '') ?? [];
  return callingVerbs.has(verb);
};

/** Whether the segments behind a collection call a model in it. */
const isCall = (behind: readonly string[]): boolean =>
  behind.some((segment) => calls.has(segment)) || endsInCall(behind);

/**
 * The rule for APIs like OpenAI's, and for providers that say nothing else. To read is free, and to send by POST is, unless it
 * names a collection that all share and calls no model in it. All else is free only with things that callers make themselves.
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
