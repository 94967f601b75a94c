import { lookUp } from '../../../../schema/json/look-up.ts';

/** The fields that models of one vendor accept in `additionalModelRequestFields`, and the common fields that they accept. */
export interface ModelFamily {
  /** The path of top_k. Models without one reject it. */
  readonly topK?: readonly string[];
  /** How an effort is requested: Claude's `thinking`, Nova's `reasoningConfig`, `reasoning.effort`, or `reasoning_effort`. */
  readonly effort?: 'thinking' | 'reasoningConfig' | 'reasoning' | 'reasoning_effort';
  /** The sampling settings that the models reject. */
  readonly rejects?: readonly ('temperature' | 'topP' | 'stop')[];
  /** Whether `metadata.user_id` and Claude's limits on sampling apply. */
  readonly isClaude?: true;
  /** Whether cache points are accepted: in a request's content, or in its tools too. */
  readonly caches?: 'content' | 'all';
  /** Whether a tool's result may have a status. */
  readonly statuses?: true;
  /** Whether `response_format` may ask for JSON with any schema. */
  readonly json?: true;
}

/**
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html and
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html
 */
const families: Readonly<Record<string, ModelFamily>> = {
  anthropic: { topK: ['top_k'], effort: 'thinking', isClaude: true, caches: 'all', statuses: true },
  amazon: { topK: ['inferenceConfig', 'topK'], caches: 'content', statuses: true },
  // Older models refuse to be asked to reason: https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
  'nova-2': { topK: ['inferenceConfig', 'topK'], effort: 'reasoningConfig', caches: 'content', statuses: true },
  cohere: { topK: ['k'] },
  mistral: { topK: ['top_k'] },
  meta: {},
  ai21: {},
  stability: {},
  'gpt-oss': { effort: 'reasoning_effort', json: true, rejects: ['stop'] },
  openai: { effort: 'reasoning', json: true, rejects: ['temperature', 'topP', 'stop'] },
};

/** The ARN of an inference profile does not say which model it stands for. */
const unknownFamily: ModelFamily = {
  topK: ['top_k'],
  effort: 'reasoning_effort',
  caches: 'all',
  statuses: true,
  json: true,
};

const regionPrefix = /^(?:us|us-gov|eu|apac|au|ca|jp|global)\./;

const toFamily = (name: string): string => {
  if (name.includes('claude')) return 'anthropic';
  if (name.startsWith('amazon.nova-2-')) return 'nova-2';
  if (name.startsWith('openai.gpt-oss-')) return 'gpt-oss';
  const [vendor = ''] = name.split('.', 1);
  return vendor;
};

/**
 * Returns the family of `us.anthropic.claude-opus-4-6-v1`, `amazon.nova-2-lite-v1:0`, or an ARN that ends with such a name. A
 * Claude model is recognised by its name alone.
 */
export const modelFamily = (model: string | undefined): ModelFamily => {
  const name = (model ?? '').slice((model ?? '').lastIndexOf('/') + 1).replace(regionPrefix, '');
  return lookUp(families, toFamily(name)) ?? unknownFamily;
};
