import type { PluginModels } from '../sdk/models/plugin-models.ts';
import { anthropicModels } from './documented-models/anthropic.ts';
import { bedrockModels } from './documented-models/bedrock.ts';
import { cohereModels } from './documented-models/cohere.ts';
import { deepseekModels } from './documented-models/deepseek.ts';
import { googleModels } from './documented-models/google.ts';
import { groqModels } from './documented-models/groq.ts';
import { mistralModels } from './documented-models/mistral-ai.ts';
import { openaiModels } from './documented-models/openai.ts';
import { type StatedModels, toStatedFacts } from './documented-models/stated-models.ts';
import { vertexModels } from './documented-models/vertex-ai.ts';
import { xAiModels } from './documented-models/x-ai.ts';
import { anthropicList } from './model-lists/anthropic-list.ts';
import { cohereList } from './model-lists/cohere-list.ts';
import { googleList } from './model-lists/google-list.ts';
import { mistralList } from './model-lists/mistral-list.ts';
import { openaiList } from './model-lists/openai-list.ts';
import { openrouterList } from './model-lists/openrouter-list.ts';

/** The tables of models, one file each in `documented-models/`. */
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
