import { defineProvider, type Provider } from '../sdk/provider/provider.ts';
import { anthropicVersion, claudeClientHeaders, claudeScope } from './row-parts/claude.ts';
import { claudePromptCache } from './row-parts/claude-prompt-cache.ts';

/**
 * https://docs.anthropic.com/en/api/overview. Its own clients write the version segment into the path, so a
 * passed-through path may contain a second one.
 */
export const anthropic: Provider = defineProvider({
  id: 'anthropic',
  documentation: 'https://docs.anthropic.com/en/api/overview',
  baseUrl: 'https://api.anthropic.com/v1',
  credential: 'required',
  speaks: { messages: '/messages', 'messages-count': '/messages/count_tokens' },
  models: ['claude-'],
  clientHeaders: claudeClientHeaders,
  headers: ({ api_key: key }) => [
    ...(key === undefined ? [] : ['x-api-key', key]),
    'anthropic-version',
    anthropicVersion,
  ],
  promptCache: claudePromptCache,
  stateScope: () => claudeScope,
  passThrough: (path) => path.replace(/^\/v1(?=\/)/, ''),
});
