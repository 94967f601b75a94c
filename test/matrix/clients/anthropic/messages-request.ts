import type Anthropic from '@anthropic-ai/sdk';
import type { Ask } from '../../scenario.ts';

type Params = Anthropic.MessageCreateParamsNonStreaming;
type Blocks = Anthropic.ContentBlockParam[];

const content = ({ user, image, document }: Ask): Blocks => [
  { type: 'text', text: user },
  ...(image === undefined
    ? []
    : [
        {
          type: 'image' as const,
          source: { type: 'base64' as const, media_type: 'image/png' as const, data: image.base64 },
        },
      ]),
  ...(document === undefined
    ? []
    : [
        {
          type: 'document' as const,
          source: { type: 'base64' as const, media_type: 'application/pdf' as const, data: document.base64 },
          title: document.name,
        },
      ]),
];

const earlierMessages = ({ earlier }: Ask): Params['messages'] =>
  earlier === undefined
    ? []
    : [
        {
          role: 'assistant',
          content: earlier.calls.map(({ id, name, args }) => ({ type: 'tool_use' as const, id, name, input: args })),
        },
        {
          role: 'user',
          content: earlier.results.map(({ id, text }) => ({
            type: 'tool_result' as const,
            tool_use_id: id,
            content: text,
          })),
        },
      ];

/** Models before 4.6 use a thinking budget: https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking */
const adapts = (model: string): boolean => !model.includes('-4-5');

/** A request to Anthropic's Messages API: https://docs.anthropic.com/en/api/messages */
export const messagesRequest = (ask: Ask, model: string): Params => ({
  model,
  ...(ask.system !== undefined && { system: ask.system }),
  messages: [{ role: 'user', content: content(ask) }, ...earlierMessages(ask)],
  ...(ask.tools && {
    tools: ask.tools.map(({ name, description, schema }) => ({
      name,
      description,
      input_schema: { ...schema, type: 'object' as const },
    })),
  }),
  ...((ask.schema ?? (ask.reasoning && adapts(model))) && {
    output_config: {
      ...(ask.schema && { format: { type: 'json_schema' as const, schema: { ...ask.schema.schema } } }),
      ...(ask.reasoning && adapts(model) && { effort: 'medium' as const }),
    },
  }),
  ...(ask.reasoning && {
    thinking: adapts(model) ? { type: 'adaptive' as const } : { type: 'enabled' as const, budget_tokens: 2048 },
  }),
  max_tokens: ask.maxTokens,
});
