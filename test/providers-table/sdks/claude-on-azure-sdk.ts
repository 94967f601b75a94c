import type Anthropic from '@anthropic-ai/sdk';
import { anthropicAsks } from '../clients/anthropic.ts';
import type { VendorSdk } from './vendor-sdk.ts';

interface AnthropicFoundryModule {
  readonly AnthropicFoundry: new (options: object) => Anthropic;
}

/**
 * https://www.npmjs.com/package/@anthropic-ai/foundry-sdk. Azure accepts keys in `api-key` or in `x-api-key`:
 * https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry
 */
export const claudeOnAzureSdk: VendorSdk = {
  library: '@anthropic-ai/foundry-sdk',
  provider: 'azure-ai',
  keyHeaders: (key) => [['x-api-key', key]],
  async asks(load) {
    const { AnthropicFoundry } = await load<AnthropicFoundryModule>('@anthropic-ai/foundry-sdk');
    return anthropicAsks(
      ({ origin, key }) => new AnthropicFoundry({ baseURL: `${origin}/anthropic`, apiKey: key, maxRetries: 0 }),
    );
  },
};
