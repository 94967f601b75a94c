import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Members } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';

/** The content of the generation config. */
export interface Generation {
  readonly reasoning: boolean;
  readonly maxTokens?: number;
  readonly schema?: JsonObject;
}

/** https://ai.google.dev/gemini-api/docs/thinking: levels since Gemini 3, budgets for 2.5. */
const hearThinking = (config: Members, model: string): boolean => {
  if (!config.has('thinkingConfig')) return false;
  const thinking = config.object('thinkingConfig').only(['includeThoughts', 'thinkingBudget', 'thinkingLevel']);
  if (thinking.has('thinkingLevel')) {
    if (thinking.has('thinkingBudget')) throw refusal(thinking.at, 'thinking budget and level cannot both be set.');
    if (/^gemini-(?:1|2)/.test(model)) throw refusal(thinking.at, 'thinking level is not supported for this model.');
    thinking.word('thinkingLevel', ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'minimal', 'low', 'medium', 'high']);
  }
  if (thinking.has('thinkingBudget') && thinking.count('thinkingBudget') === 0) return false;
  return thinking.has('includeThoughts') && thinking.flag('includeThoughts');
};

/** https://ai.google.dev/gemini-api/docs/structured-output */
const hearSchema = (config: Members): JsonObject | undefined => {
  const names = ['responseSchema', 'responseJsonSchema'].filter((name) => config.has(name));
  const [name] = names;
  if (name === undefined) return undefined;
  if (names.length > 1) throw refusal(config.at, 'response_schema and response_json_schema cannot both be set.');
  if (!config.has('responseMimeType') || config.text('responseMimeType') !== 'application/json')
    throw refusal(`${config.at}.responseMimeType`, 'must be application/json beside a schema.');
  return config.json(name);
};

/** Parses `generationConfig`: https://ai.google.dev/api/generate-content#generationconfig */
export const hearGeneration = (body: Members, model: string): Generation => {
  if (!body.has('generationConfig')) return { reasoning: false };
  const config = body
    .object('generationConfig')
    .only([
      'audioTimestamp',
      'candidateCount',
      'enableEnhancedCivicAnswers',
      'frequencyPenalty',
      'imageConfig',
      'logprobs',
      'maxOutputTokens',
      'mediaResolution',
      'presencePenalty',
      'responseJsonSchema',
      'responseLogprobs',
      'responseMimeType',
      'responseModalities',
      'responseSchema',
      'seed',
      'speechConfig',
      'stopSequences',
      'temperature',
      'thinkingConfig',
      'topK',
      'topP',
    ]);
  if (config.has('temperature') && !(config.count('temperature') >= 0 && config.count('temperature') <= 2))
    throw refusal(`${config.at}.temperature`, 'must be from 0 to 2.');
  const schema = hearSchema(config);
  return {
    reasoning: hearThinking(config, model),
    ...(config.has('maxOutputTokens') ? { maxTokens: config.count('maxOutputTokens') } : {}),
    ...(schema === undefined ? {} : { schema }),
  };
};
