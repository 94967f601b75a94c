import type { JsonObject } from '../../../schema/json/json.ts';
import type { RawHeaders } from '../../sdk/http/http.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { bearer } from '../shared/bearer.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';
import { textSetting } from '../shared/text-setting.ts';

const account = (settings: JsonObject): RawHeaders => {
  const organization = textSetting(settings, 'llmv_organization');
  const project = textSetting(settings, 'llmv_project');
  return [
    ...(organization === undefined ? [] : ['OpenAI-Organization', organization]),
    ...(project === undefined ? [] : ['OpenAI-Project', project]),
  ];
};

/** https://platform.openai.com/docs/api-reference/authentication */
export const openai: Provider = defineProvider({
  ...openaiCompatible({
    id: 'openai',
    documentation: 'https://platform.openai.com/docs/api-reference',
    baseUrl: 'https://api.openai.com/v1',
    operations: [
      ...(['chat', 'responses', 'completions', 'embeddings', 'responses-count', 'moderations', 'images'] as const),
      ...(['speech', 'transcriptions', 'translations', 'image-edits', 'image-variations'] as const),
    ],
    aliases: ['llmv'],
    developers: true,
    // https://platform.openai.com/docs/guides/realtime-websocket
    hasRealtime: true,
  }),
  // https://platform.openai.com/docs/api-reference/embeddings/create#embeddings_create-input
  maxTexts: 2048,
  models: [
    'gpt-',
    'chatgpt-',
    'o1',
    'o3',
    'o4',
    'text-embedding-3-',
    'text-embedding-ada-',
    'dall-e',
    'whisper',
    'tts-',
    'omni-',
    'ft:gpt-',
  ],
  settings: ['llmv_organization', 'llmv_project'],
  clientHeaders: ['openai-beta'],
  headers: (credential, settings) => [...bearer(credential), ...account(settings)],
});
