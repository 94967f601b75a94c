import type OpenAI from 'openai';
import type { NextStep, Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { knownMembers } from '../known.ts';
import { readArgs } from '../read-args.ts';
import { counted, type ReceivedContent, receive } from '../receive.ts';
import { tapResponses } from '../response-tap.ts';
import { toResults } from '../to-results.ts';
import { type ChatExtras, chatExtras } from './chat-extras.ts';
import { chatRequest } from './chat-request.ts';
import { openaiClient, openaiError } from './openai-client.ts';

type Params = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

const model = 'gpt-5.1';

const toContent = (completion: OpenAI.Chat.Completions.ChatCompletion, { reasoning }: ChatExtras): ReceivedContent => {
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error('There is no choice.');
  const { message, finish_reason } = choice;
  return {
    text: message.content ?? '',
    reasoning,
    calls: (message.tool_calls ?? []).map((call) => {
      if (call.type !== 'function') throw new Error(`${call.id} is not a call of a function.`);
      return { id: call.id, name: call.function.name, args: readArgs(call.function.arguments) };
    }),
    refusal: message.refusal ?? '',
    finish: finish_reason,
    ...(completion.usage && {
      usage: counted({
        input: completion.usage.prompt_tokens,
        output: completion.usage.completion_tokens,
        cached: completion.usage.prompt_tokens_details?.cached_tokens ?? 0,
        reasoning: completion.usage.completion_tokens_details?.reasoning_tokens ?? 0,
      }),
    }),
  };
};

/** https://platform.openai.com/docs/api-reference/chat-streaming, and what compatible vendors document in addition. */
const known = {
  chunk: [
    ...['id', 'object', 'created', 'model', 'choices', 'usage', 'service_tier', 'system_fingerprint', 'obfuscation'],
    ...['provider', 'x_groq', 'prompt_filter_results'],
  ],
  choice: ['index', 'delta', 'finish_reason', 'logprobs', 'content_filter_results'],
  delta: [
    ...['role', 'content', 'refusal', 'tool_calls', 'reasoning_content', 'reasoning', 'content_blocks'],
    'extra_content',
  ],
};

/** Content must be a text, and each piece of a call must identify its call. */
const checkDelta = ({ content, tool_calls: calls = [] }: Chunk['choices'][number]['delta']): void => {
  if (content !== undefined && content !== null && typeof content !== 'string')
    throw new Error(`A content is no text: ${JSON.stringify(content)}`);
  for (const { index } of calls) if (!Number.isInteger(index)) throw new Error('A piece of a call has no index.');
};

const checkChunk = (chunk: Chunk): void => {
  knownMembers('A chunk', chunk, known.chunk);
  for (const choice of chunk.choices) {
    knownMembers('A choice', choice, known.choice);
    knownMembers('A delta', choice.delta, known.delta);
    checkDelta(choice.delta);
  }
};

interface Turn {
  readonly content: ReceivedContent;
  /** The library's own object, which is part of the next request. */
  readonly message: OpenAI.Chat.Completions.ChatCompletionMessage | undefined;
}

const toTurn = (completion: OpenAI.Chat.Completions.ChatCompletion, extras: ChatExtras): Turn => ({
  content: toContent(completion, extras),
  message: completion.choices[0]?.message,
});

const streamed = async (completions: OpenAI.Chat.Completions, params: Params): Promise<Turn> => {
  const stream = completions.stream({ ...params, stream: true, stream_options: { include_usage: true } });
  const extras: ChatExtras[] = [];
  stream.on('chunk', (chunk) => {
    checkChunk(chunk);
    extras.push(...chunk.choices.map(({ delta }) => chatExtras(delta)));
  });
  const completion = await stream.finalChatCompletion();
  return toTurn(completion, { reasoning: extras.map(({ reasoning }) => reasoning).join('') });
};

const whole = async (completions: OpenAI.Chat.Completions, params: Params): Promise<Turn> => {
  const completion = await completions.create(params);
  return toTurn(completion, chatExtras(completion.choices[0]?.message ?? {}));
};

const nextParams = (params: Params, { content, message }: Turn, next: NextStep): Params => ({
  ...params,
  messages: [
    ...params.messages,
    ...(message === undefined ? [] : [message]),
    ...toResults(content.calls, next).map(({ id, text }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: text,
    })),
  ],
});

const ask = async ({ ask: question, next }: Scenario, options: AskOptions): ReturnType<ClientDriver['ask']> => {
  const tap = tapResponses();
  const { completions } = openaiClient(options, tap).chat;
  const take = options.stream ? streamed : whole;
  const run = async (): Promise<ReceivedContent> => {
    const params = chatRequest(question, options.model ?? model);
    const turn = await take(completions, params);
    return next === undefined ? turn.content : (await take(completions, nextParams(params, turn, next))).content;
  };
  return receive({ run, readError: openaiError, tap });
};

/** Calls chat completions through OpenAI's client. */
export const openaiChat: ClientDriver = {
  dialect: 'chat',
  library: 'openai (chat.completions)',
  model,
  finishes: { stop: ['stop'], length: ['length'], 'tool-calls': ['tool_calls'], refusal: ['content_filter'] },
  ask,
};
