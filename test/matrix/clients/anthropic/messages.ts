import Anthropic from '@anthropic-ai/sdk';
import type { Scenario, Told } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { knownType } from '../known.ts';
import { readArgs } from '../read-args.ts';
import { tapResponses } from '../response-tap.ts';
import { type Said, tell } from '../tell.ts';
import { messagesRequest } from './messages-request.ts';

const model = 'claude-sonnet-4-6';

const saidBy = ({ content, stop_reason, usage }: Anthropic.Message): Said => ({
  text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
  reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
  calls: content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, args: readArgs(block.input) }] : [],
  ),
  refusal: '',
  finish: stop_reason ?? '',
  usage: { input: usage.input_tokens, output: usage.output_tokens },
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

const readError = (thrown: unknown): Told['error'] | undefined =>
  thrown instanceof Anthropic.APIError ? { status: thrown.status ?? 0, message: thrown.message } : undefined;

const ask = async (scenario: Scenario, options: AskOptions): Promise<Told> => {
  const tap = tapResponses();
  const { messages } = new Anthropic({
    baseURL: options.origin,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: options.headers,
    fetch: tap.fetch,
  });
  const params = messagesRequest(scenario.ask, options.model ?? model);
  const whole = async (): Promise<Said> => saidBy(await messages.create(params));
  const streamed = async (): Promise<Said> => {
    const stream = messages.stream(params);
    stream.on('streamEvent', checkEvent);
    return saidBy(await stream.finalMessage());
  };
  return tell({ say: options.stream ? streamed : whole, readError, dropped: tap.dropped });
};

/** Asks for messages through Anthropic's client. */
export const anthropicMessages: ClientDriver = {
  dialect: 'messages',
  library: '@anthropic-ai/sdk',
  model,
  finishes: { stop: ['end_turn'], length: ['max_tokens'], 'tool-calls': ['tool_use'], refusal: ['refusal'] },
  ask,
};
