import type { PluginModels } from '../sdk/models/plugin-models.ts';
import { anthropicModels } from './model-facts/anthropic.ts';
import { bedrockModels } from './model-facts/bedrock.ts';
import { cohereModels } from './model-facts/cohere.ts';
import { deepseekModels } from './model-facts/deepseek.ts';
import { googleModels } from './model-facts/google.ts';
import { groqModels } from './model-facts/groq.ts';
import { mistralModels } from './model-facts/mistral-ai.ts';
import { openaiModels } from './model-facts/openai.ts';
import { type StatedModels, toStatedFacts } from './model-facts/stated-models.ts';
import { vertexModels } from './model-facts/vertex-ai.ts';
import { xAiModels } from './model-facts/x-ai.ts';
import { anthropicList } from './model-lists/anthropic-list.ts';
import { cohereList } from './model-lists/cohere-list.ts';
import { googleList } from './model-lists/google-list.ts';
import { mistralList } from './model-lists/mistral-list.ts';
import { openaiList } from './model-lists/openai-list.ts';
import { openrouterList } from './model-lists/openrouter-list.ts';

/** The tables of models, one file each in `model-facts/`. */
export const statedModels: readonly StatedModels[] = [
  anthropicModels,
  bedrockModels,
  cohereModels,
  deepseekModels,
  googleModels,
  groqModels,
  mistralModels,
  openaiModels,
  vertexModels,
  xAiModels,
];

/** The facts about the models of first-party providers, and the readers of their own lists. */
export const providerModels: PluginModels = {
  facts: statedModels.flatMap(toStatedFacts),
  lists: {
    anthropic: anthropicList,
    cohere: cohereList,
    google: googleList,
    'mistral-ai': mistralList,
    openrouter: openrouterList,
  },
  openaiList,
};
