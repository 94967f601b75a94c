import Anthropic from '@anthropic-ai/sdk';
import type { Asks, OfficialClient, Place } from './official-client.ts';

/** The requests that a library shaped like Anthropic's sends, by dialect. */
export const anthropicAsks = (connect: (place: Place) => Pick<Anthropic, 'messages'>): Asks => ({
  messages: async (place, text) => {
    const { content } = await connect(place).messages.create({
      model: place.model,
      max_tokens: 10,
      messages: [{ role: 'user', content: text }],
    });
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  },
  'messages-count': async (place, text) => {
    const { messages } = connect(place);
    const counted = await messages.countTokens({ model: place.model, messages: [{ role: 'user', content: text }] });
    return String(counted.input_tokens);
  },
});

/**
 * https://www.npmjs.com/package/@anthropic-ai/sdk. Since its version 1 it sends keys as bearer tokens, while the documentation
 * uses `x-api-key`: https://platform.claude.com/docs/en/api/overview
 */
export const anthropic: OfficialClient = {
  library: '@anthropic-ai/sdk',
  keyHeaders: (key) => [['authorization', `Bearer ${key}`]],
  asks: anthropicAsks(
    ({ origin, key, headers }) =>
      new Anthropic({ baseURL: origin, apiKey: key, defaultHeaders: headers, maxRetries: 0 }),
  ),
};
