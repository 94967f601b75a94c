import type OpenAI from 'openai';
import type { Ask } from '../../scenario.ts';
import { dataUrl } from '../data-url.ts';

type Params = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type Content = Exclude<OpenAI.Chat.Completions.ChatCompletionUserMessageParam['content'], string>;

const content = ({ user, image, document }: Ask): Content => [
  { type: 'text', text: user },
  ...(image === undefined ? [] : [{ type: 'image_url' as const, image_url: { url: dataUrl(image) } }]),
  ...(document === undefined
    ? []
    : [{ type: 'file' as const, file: { filename: document.name, file_data: dataUrl(document) } }]),
];

const earlierMessages = ({ earlier }: Ask): Params['messages'] =>
  earlier === undefined
    ? []
    : [
        {
          role: 'assistant',
          content: null,
          tool_calls: earlier.calls.map(({ id, name, args }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        },
        ...earlier.results.map(({ id, text }) => ({ role: 'tool' as const, tool_call_id: id, content: text })),
      ];

/** A request to OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat/create */
export const chatRequest = (ask: Ask, model: string): Params => ({
  model,
  messages: [
    ...(ask.system === undefined ? [] : [{ role: 'system' as const, content: ask.system }]),
    { role: 'user', content: (ask.image ?? ask.document) ? content(ask) : ask.user },
    ...earlierMessages(ask),
  ],
  ...(ask.tools && {
    tools: ask.tools.map(({ name, description, schema }) => ({
      type: 'function' as const,
      function: { name, description, parameters: { ...schema } },
    })),
  }),
  ...(ask.schema && {
    response_format: {
      type: 'json_schema' as const,
      json_schema: { name: ask.schema.name, schema: { ...ask.schema.schema }, strict: true },
    },
  }),
  ...(ask.reasoning && { reasoning_effort: 'medium' as const }),
  max_completion_tokens: ask.maxTokens,
});
