import type { PluginModels } from '../sdk/models/plugin-models.ts';
import { anthropicList } from './model-lists/anthropic-list.ts';
import { cohereList } from './model-lists/cohere-list.ts';
import { googleList } from './model-lists/google-list.ts';
import { mistralList } from './model-lists/mistral-list.ts';
import { openaiList } from './model-lists/openai-list.ts';
import { openrouterList } from './model-lists/openrouter-list.ts';
import { anthropicModels } from './stated-models/anthropic.ts';
import { bedrockModels } from './stated-models/bedrock.ts';
import { cohereModels } from './stated-models/cohere.ts';
import { deepseekModels } from './stated-models/deepseek.ts';
import { googleModels } from './stated-models/google.ts';
import { groqModels } from './stated-models/groq.ts';
import { mistralModels } from './stated-models/mistral-ai.ts';
import { openaiModels } from './stated-models/openai.ts';
import { type StatedModels, toStatedFacts } from './stated-models/stated-models.ts';
import { vertexModels } from './stated-models/vertex-ai.ts';
import { xAiModels } from './stated-models/x-ai.ts';

/** The tables of models, a file each in `facts/`. */
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

/** The facts of the models of first-party providers, and how their own lists are read. */
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
