import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';
import { textSetting } from '../shared/text-setting.ts';

/**
 * Any service that follows OpenAI and has no row of its own: https://platform.openai.com/docs/api-reference. Targets specify its
 * address as `custom_host`, or saved providers as `base_url`, including the version segment.
 */
export const anyOpenaiCompatible: Provider = defineProvider({
  ...openaiCompatible({
    id: 'openai-compatible',
    documentation: 'https://platform.openai.com/docs/api-reference',
    baseUrl(settings) {
      const url = textSetting(settings, 'base_url');
      if (url === undefined)
        throw new Error('it requires an address: set custom_host, such as https://models.example.com/v1.');
      return url.replace(/\/+$/, '');
    },
    credential: 'optional',
    operations: ['chat', 'completions', 'embeddings', 'images'],
    hasRealtime: true,
  }),
  ownSettings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        format: 'uri',
        description: 'The base URL of the service, with its version segment.',
      },
    },
  },
});
