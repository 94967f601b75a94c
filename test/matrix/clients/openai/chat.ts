import type OpenAI from 'openai';
import type { Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { knownMembers } from '../known.ts';
import { readArgs } from '../read-args.ts';
import { tapResponses } from '../response-tap.ts';
import { type Said, tell } from '../tell.ts';
import { type ChatExtras, chatExtras } from './chat-extras.ts';
import { chatRequest } from './chat-request.ts';
import { openaiClient, openaiError } from './openai-client.ts';

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

const model = 'gpt-5.1';

const saidBy = (completion: OpenAI.Chat.Completions.ChatCompletion, { text, reasoning }: ChatExtras): Said => {
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error('There is no choice.');
  const { message, finish_reason } = choice;
  return {
    text: text ?? message.content ?? '',
    reasoning,
    calls: (message.tool_calls ?? []).map((call) => {
      if (call.type !== 'function') throw new Error(`${call.id} is not a call of a function.`);
      return { id: call.id, name: call.function.name, args: readArgs(call.function.arguments) };
    }),
    refusal: message.refusal ?? '',
    finish: finish_reason,
    ...(completion.usage && {
      usage: { input: completion.usage.prompt_tokens, output: completion.usage.completion_tokens },
    }),
  };
};

/** https://platform.openai.com/docs/api-reference/chat-streaming, and what compatible vendors document beside it. */
const known = {
  chunk: [
    ...['id', 'object', 'created', 'model', 'choices', 'usage', 'service_tier', 'system_fingerprint', 'obfuscation'],
    ...['provider', 'x_groq', 'prompt_filter_results'],
  ],
  choice: ['index', 'delta', 'finish_reason', 'logprobs', 'content_filter_results'],
  delta: ['role', 'content', 'refusal', 'tool_calls', 'reasoning_content', 'reasoning', 'content_blocks'],
};

const checkChunk = (chunk: Chunk): void => {
  knownMembers('A chunk', chunk, known.chunk);
  for (const choice of chunk.choices) {
    knownMembers('A choice', choice, known.choice);
    knownMembers('A delta', choice.delta, known.delta);
  }
};

const ask = async (scenario: Scenario, options: AskOptions): ReturnType<ClientDriver['ask']> => {
  const tap = tapResponses();
  const { completions } = openaiClient(options, tap).chat;
  const params = chatRequest(scenario.ask, options.model ?? model);
  const whole = async (): Promise<Said> => {
    const completion = await completions.create(params);
    return saidBy(completion, chatExtras(completion.choices[0]?.message ?? {}));
  };
  const streamed = async (): Promise<Said> => {
    const stream = completions.stream({ ...params, stream: true, stream_options: { include_usage: true } });
    const extras: ChatExtras[] = [];
    stream.on('chunk', (chunk) => {
      checkChunk(chunk);
      extras.push(...chunk.choices.map(({ delta }) => chatExtras(delta)));
    });
    const completion = await stream.finalChatCompletion();
    const isListed = extras.some(({ text }) => text !== undefined);
    return saidBy(completion, {
      ...(isListed && { text: extras.map(({ text = '' }) => text).join('') }),
      reasoning: extras.map(({ reasoning }) => reasoning).join(''),
    });
  };
  return tell({ say: options.stream ? streamed : whole, readError: openaiError, dropped: tap.dropped });
};

/** Asks for chat completions through OpenAI's client. */
export const openaiChat: ClientDriver = {
  dialect: 'chat',
  library: 'openai (chat.completions)',
  model,
  finishes: { stop: ['stop'], length: ['length'], 'tool-calls': ['tool_calls'], refusal: ['content_filter'] },
  ask,
};
