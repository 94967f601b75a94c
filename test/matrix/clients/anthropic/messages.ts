import Anthropic from '@anthropic-ai/sdk';
import type { Call, NextStep, Received, Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { knownType } from '../known.ts';
import { readArgs } from '../read-args.ts';
import { counted, type ReceivedContent, receive } from '../receive.ts';
import { tapResponses } from '../response-tap.ts';
import { toResults } from '../to-results.ts';
import { messagesRequest } from './messages-request.ts';

type Params = Anthropic.MessageCreateParamsNonStreaming;

const model = 'claude-sonnet-4-6';

const toCalls = (block: Anthropic.ContentBlock): readonly Call[] =>
  block.type === 'tool_use' ? [{ id: block.id, name: block.name, args: readArgs(block.input) }] : [];

const toContent = ({ content, stop_reason, usage }: Anthropic.Message): ReceivedContent => ({
  text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
  reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
  calls: content.flatMap(toCalls),
  refusal: '',
  finish: stop_reason ?? '',
  usage: counted({
    // It excludes tokens read from a cache or written to it.
    input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
    output: usage.output_tokens,
    cached: usage.cache_read_input_tokens ?? 0,
    reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
  }),
});

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming */
const checkEvent = (event: Anthropic.MessageStreamEvent): void => {
  const message = ['message_start', 'message_delta', 'message_stop'];
  knownType('An event', event.type, [...message, 'content_block_start', 'content_block_delta', 'content_block_stop']);
  if (event.type === 'content_block_delta')
    knownType('A delta', event.delta.type, ['text_delta', 'input_json_delta', 'thinking_delta', 'signature_delta']);
  if (event.type === 'content_block_start')
    knownType('A block', event.content_block.type, ['text', 'tool_use', 'thinking', 'redacted_thinking']);
};

const readError = (thrown: unknown): Received['error'] | undefined =>
  thrown instanceof Anthropic.APIError ? { status: thrown.status ?? 0, message: thrown.message } : undefined;

const streamed = async (messages: Anthropic.Messages, params: Params): Promise<Anthropic.Message> => {
  const stream = messages.stream(params);
  stream.on('streamEvent', checkEvent);
  return stream.finalMessage();
};

const whole = async (messages: Anthropic.Messages, params: Params): Promise<Anthropic.Message> =>
  messages.create(params);

const nextParams = (params: Params, { content, role }: Anthropic.Message, next: NextStep): Params => ({
  ...params,
  messages: [
    ...params.messages,
    { role, content },
    {
      role: 'user',
      content: toResults(content.flatMap(toCalls), next).map(({ id, text }) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: text,
      })),
    },
  ],
});

const ask = async ({ ask: question, next }: Scenario, options: AskOptions): Promise<Received> => {
  const tap = tapResponses();
  const { messages } = new Anthropic({
    baseURL: options.origin,
    apiKey: 'not-sent',
    maxRetries: options.retries,
    defaultHeaders: options.headers,
    fetch: tap.fetch,
  });
  const take = options.stream ? streamed : whole;
  const run = async (): Promise<ReceivedContent> => {
    const params = messagesRequest(question, options.model ?? model);
    const message = await take(messages, params);
    return toContent(next === undefined ? message : await take(messages, nextParams(params, message, next)));
  };
  return receive({ run, readError, tap });
};

/** Calls Anthropic's Messages API through Anthropic's client. */
export const anthropicMessages: ClientDriver = {
  dialect: 'messages',
  library: '@anthropic-ai/sdk',
  model,
  finishes: { stop: ['end_turn'], length: ['max_tokens'], 'tool-calls': ['tool_use'], refusal: ['refusal'] },
  ask,
};
