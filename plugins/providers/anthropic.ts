import type { Provider } from '../sdk/provider/provider.ts';
import { claudeScope } from './shared/claude.ts';
import { claudeCompatible } from './shared/claude-compatible.ts';
import { claudePromptCache } from './shared/claude-prompt-cache.ts';

/** https://docs.anthropic.com/en/api/overview */
export const anthropic: Provider = claudeCompatible({
  id: 'anthropic',
  documentation: 'https://docs.anthropic.com/en/api/overview',
  baseUrl: 'https://api.anthropic.com/v1',
  operations: ['messages', 'messages-count'],
  models: ['claude-'],
  promptCache: claudePromptCache,
  stateScope: () => claudeScope,
});
