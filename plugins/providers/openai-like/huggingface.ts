import type { JsonObject } from '../../../schema/json/json.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';
import { textSetting } from '../shared/text-setting.ts';

/** Returns the URL of a dedicated endpoint, which has the API below `/v1`: https://huggingface.co/docs/inference-endpoints */
const endpointUrl = (settings: JsonObject): string | undefined => {
  const text = textSetting(settings, 'huggingface_base_url');
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && !/[?#]/.test(text);
  if (!isPlain || !/^https?:$/.test(url.protocol))
    throw new Error('huggingface_base_url must be an http or https URL without credentials, a query or a fragment.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
};

/** https://huggingface.co/docs/inference-providers/tasks/chat-completion */
export const huggingface: Provider = defineProvider({
  ...openaiCompatible({
    id: 'huggingface',
    documentation: 'https://huggingface.co/docs/inference-providers/tasks/chat-completion',
    baseUrl: (settings) => endpointUrl(settings) ?? 'https://router.huggingface.co/v1',
    operations: ['chat', 'responses'],
    // Only functions are tools: https://huggingface.co/docs/inference-providers/tasks/chat-completion
    lacks: ['custom-tool'],
    // Errors of the services behind it are a text: `{"error": "…"}`.
    errorsVary: true,
    unconfirmed: ['developers'],
  }),
  ownSettings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      huggingface_base_url: {
        type: 'string',
        description: 'The URL of an Inference Endpoint, which is called instead of router.huggingface.co.',
      },
    },
  },
});
