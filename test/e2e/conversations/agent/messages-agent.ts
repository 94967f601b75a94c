import Anthropic from '@anthropic-ai/sdk';
import type { Message, MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Say } from '../story.ts';
import type { ClientAnswer } from '../tongues/tongue.ts';
import type { Agent } from './agent.ts';
import { agentTools } from './tools.ts';

const cached = { cache_control: { type: 'ephemeral' } } as const;

const tools: Tool[] = agentTools.map(({ name, description, schema }, at) => ({
  name,
  description,
  input_schema: { type: 'object', ...schema },
  ...(at === agentTools.length - 1 ? cached : {}),
}));

const toContent = ({ results, user }: Say): MessageParam['content'] => [
  ...results.map(({ id, text }) => ({ type: 'tool_result' as const, tool_use_id: id, content: text })),
  ...(user === undefined ? [] : [{ type: 'text' as const, text: user, ...cached }]),
];

const toClientAnswer = ({ content, stop_reason: finish }: Message): ClientAnswer => ({
  reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
  text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
  calls: content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, args: block.input as JsonObject }] : [],
  ),
  finish: finish ?? '',
});

export const messagesAgent: Agent = {
  id: 'messages',
  targets: ['openai', 'google', 'bedrock', 'anthropic'],
  hasPatches: false,
  finishes: { calls: 'tool_use', stop: 'end_turn' },
  begin({ origin, config, stream, system }) {
    const client = new Anthropic({
      baseURL: origin,
      apiKey: 'not-sent',
      maxRetries: 0,
      defaultHeaders: { 'x-gw-config': JSON.stringify(config) },
    });
    const messages: MessageParam[] = [];
    return async (say) => {
      messages.push({ role: 'user', content: toContent(say) });
      const body = {
        model: 'claude-opus-4-6',
        max_tokens: 16_000,
        thinking: { type: 'adaptive' as const },
        system: [{ type: 'text' as const, text: system, ...cached }],
        tools,
        messages,
      };
      const { data, response } = stream
        ? await client.messages.stream(body).withResponse()
        : await client.messages.create(body).withResponse();
      const message = 'finalMessage' in data ? await data.finalMessage() : data;
      messages.push({ role: message.role, content: message.content });
      return { answer: toClientAnswer(message), dropped: response.headers.get('x-gw-dropped-params') ?? '' };
    };
  },
};
