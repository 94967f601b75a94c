import { passedSegments } from '../../sdk/http/passed-segments.ts';
import { changesAccount } from '../../sdk/provider/account-changes/changes-account.ts';
import { onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { fillModel } from '../../sdk/provider/fill-model.ts';
import { defineProvider, type Endpoint, type Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

const id = 'fireworks-ai';

const inference = '/inference/v1';

/**
 * Each image model is a workflow, whose path contains the segments of the model's name,
 * `accounts/fireworks/models/flux-1-dev-fp8`: https://docs.fireworks.ai/api-reference/generate-a-new-image-from-a-text-prompt
 */
const draw: Endpoint = ({ model }) => {
  const segments = (model ?? '').split('/').map((segment) => fillModel('{model}', { model: segment, provider: id }));
  return `${inference}/workflows/${segments.join('/')}/text_to_image`;
};

/** Returns the path of resources of an account, such as data sets and fine-tuning jobs, which differs from that of models. */
const upstreamPath = (path: string): string => (/^\/accounts(?:[/?]|$)/.test(path) ? `/v1${path}` : inference + path);

/**
 * The path segments of resources that callers create for themselves in an account. Beside these are its models, deployments,
 * users and keys.
 */
const ownParts: ReadonlySet<string> = new Set([
  ...['datasets', 'supervisedfinetuningjobs', 'dpojobs', 'batchinferencejobs'],
]);

const changesParts = onlyAllows(({ segments: [, , part = ''] }) => ownParts.has(part.replace(/:.*$/, '')));

/**
 * https://docs.fireworks.ai/api-reference/introduction. Models and accounts are on separate paths, so the base URL contains
 * neither.
 */
export const fireworksAi: Provider = defineProvider({
  ...openaiCompatible({
    id,
    documentation: 'https://docs.fireworks.ai/api-reference/introduction',
    baseUrl: 'https://api.fireworks.ai',
    operations: ['chat', 'completions', 'embeddings', 'rerank'],
    // Tools are functions: https://docs.fireworks.ai/api-reference/post-chatcompletions
    lacks: ['document', 'audio', 'video', 'custom-tool'],
    // https://docs.fireworks.ai/guides/reasoning
    reasoningMember: 'reasoning_content',
    // https://docs.fireworks.ai/api-reference/rerank-documents
    leavesOut: { rerank: ['results'] },
  }),
  listedAs: 'fireworks',
  settings: ['fireworks_account_id'],
  speaks: {
    chat: `${inference}/chat/completions`,
    completions: `${inference}/completions`,
    embeddings: `${inference}/embeddings`,
    rerank: `${inference}/rerank`,
    'fireworks-images': draw,
  },
  passThrough: upstreamPath,
  changesAccount: (request) =>
    passedSegments(request.path)[0] === 'accounts' ? changesParts(request) : changesAccount(request),
  // Files of data sets are there: https://docs.fireworks.ai/api-reference/get-dataset-upload-endpoint
  signedOrigins: ['https://storage.googleapis.com'],
});
