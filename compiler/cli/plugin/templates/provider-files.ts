import type { KindFiles, NewPlugin } from './plugin-kind.ts';

/** A service with the format of OpenAI's chat completions. */
export const providerFiles = ({ id }: NewPlugin): KindFiles => ({
  source: `import { defineProvider, type Provider } from 'gatewright/sdk';

/** A service with the format of OpenAI's chat completions, called with a bearer token. */
export const provider: Provider = defineProvider({
  id: '${id}',
  documentation: 'https://docs.${id}.example/api',
  credential: 'required',
  baseUrl: 'https://api.${id}.example/v1',
  speaks: { chat: '/chat/completions' },
  headers: ({ api_key = '' }) => ['authorization', \`Bearer \${api_key}\`],
});
`,
  test: `import { test } from 'node:test';
import { testProvider } from 'gatewright/testing';
import { provider } from './provider.js';

test('the provider keeps its contract', () => testProvider(provider));
`,
  index: 'providers: [provider]',
  hosts: [`api.${id}.example`],
  use: {
    text: 'A config names the provider like those that come with the gateway:',
    json: { provider: id, api_key: '${env:API_KEY}', override_params: { model: 'a-model' } },
  },
});
