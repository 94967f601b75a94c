import type { Cohere } from 'cohere-ai';
import type { Ask } from '../../scenario.ts';
import { dataUrl } from '../data-url.ts';

const userContent = ({ user, image }: Ask): Cohere.UserMessageV2['content'] =>
  image === undefined
    ? user
    : [
        { type: 'text', text: user },
        { type: 'image_url', imageUrl: { url: dataUrl(image) } },
      ];

const earlierMessages = ({ earlier }: Ask): Cohere.ChatMessages =>
  earlier === undefined
    ? []
    : [
        {
          role: 'assistant',
          toolCalls: earlier.calls.map(({ id, name, args }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        },
        ...earlier.results.map(({ id, text }) => ({ role: 'tool' as const, toolCallId: id, content: text })),
      ];

/** A request to Cohere's Chat API: https://docs.cohere.com/reference/chat */
export const cohereRequest = (ask: Ask, model: string): Cohere.V2ChatRequest => ({
  model,
  messages: [
    ...(ask.system === undefined ? [] : [{ role: 'system' as const, content: ask.system }]),
    { role: 'user', content: userContent(ask) },
    ...earlierMessages(ask),
  ],
  ...(ask.tools && {
    tools: ask.tools.map(({ name, description, schema }) => ({
      type: 'function' as const,
      function: { name, description, parameters: { ...schema } },
    })),
  }),
  ...(ask.schema && { responseFormat: { type: 'json_object' as const, jsonSchema: { ...ask.schema.schema } } }),
  ...(ask.reasoning && { thinking: { type: 'enabled' as const, tokenBudget: 2048 } }),
  maxTokens: ask.maxTokens,
});
