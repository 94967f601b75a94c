import type { JsonObject } from '../../../schema/json/json.ts';
import { azureAiKind } from './azure-ai-address.ts';

/** The first segments of OpenAI's API at a resource: https://learn.microsoft.com/azure/ai-foundry/openai/latest */
const openaiSegments: ReadonlySet<string> = new Set([
  ...['audio', 'batches', 'chat', 'completions', 'containers', 'conversations', 'embeddings', 'evals', 'files'],
  ...['fine_tuning', 'images', 'realtime', 'responses', 'uploads', 'vector_stores', 'videos'],
]);

/**
 * Whether a path belongs to OpenAI's API. Of the paths below `/models` only the list does, because Model Inference has the
 * others.
 */
const isOpenai = (path: string): boolean => {
  const [pathname = ''] = path.split('?', 1);
  return pathname === '/models' || openaiSegments.has(pathname.split('/')[1] ?? '');
};

/** Returns the path of a passed-through request. A resource has OpenAI's API below `/openai/v1`, and other services beside it. */
export const passThroughPath = (path: string, settings: JsonObject): string =>
  azureAiKind(settings) === 'resource' && isOpenai(path) ? `/openai/v1${path}` : path;
