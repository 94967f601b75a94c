import type OpenAI from 'openai';
import type { Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { knownMembers } from '../known.ts';
import { readArgs } from '../read-args.ts';
import { tapResponses } from '../response-tap.ts';
import { type Said, tell } from '../tell.ts';
import { chatReasoning } from './chat-reasoning.ts';
import { chatRequest } from './chat-request.ts';
import { openaiClient, openaiError } from './openai-client.ts';

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

const model = 'gpt-5.1';

const saidBy = (completion: OpenAI.Chat.Completions.ChatCompletion, reasoning: string): Said => {
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
      usage: { input: completion.usage.prompt_tokens, output: completion.usage.completion_tokens },
    }),
  };
};

/** https://platform.openai.com/docs/api-reference/chat-streaming, and the members for reasoning. */
const checkChunk = (chunk: Chunk): void => {
  const { choices } = chunk;
  const own = ['id', 'object', 'created', 'model', 'choices', 'usage', 'service_tier', 'system_fingerprint'];
  knownMembers('A chunk', chunk, [...own, 'obfuscation', 'provider']);
  for (const choice of choices) {
    knownMembers('A choice', choice, ['index', 'delta', 'finish_reason', 'logprobs']);
    knownMembers('A delta', choice.delta, [
      ...['role', 'content', 'refusal', 'tool_calls'],
      ...['reasoning_content', 'content_blocks'],
    ]);
  }
};

const ask = async (scenario: Scenario, options: AskOptions): ReturnType<ClientDriver['ask']> => {
  const tap = tapResponses();
  const { completions } = openaiClient(options, tap).chat;
  const params = chatRequest(scenario.ask, model);
  const whole = async (): Promise<Said> => {
    const completion = await completions.create(params);
    return saidBy(completion, chatReasoning(completion.choices[0]?.message ?? {}));
  };
  const streamed = async (): Promise<Said> => {
    const stream = completions.stream({ ...params, stream: true, stream_options: { include_usage: true } });
    let reasoning = '';
    stream.on('chunk', (chunk) => {
      checkChunk(chunk);
      reasoning += chunk.choices.map(({ delta }) => chatReasoning(delta)).join('');
    });
    const completion = await stream.finalChatCompletion();
    return saidBy(completion, reasoning);
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
