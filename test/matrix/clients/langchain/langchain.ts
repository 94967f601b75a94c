import type { BaseMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import type { Received, Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { neverRetries } from '../never-retries.ts';
import { readArgs } from '../read-args.ts';
import { counted, type ReceivedContent, receive } from '../receive.ts';
import { tapResponses } from '../response-tap.ts';
import { toResults } from '../to-results.ts';
import { langchainMessages, langchainResults } from './langchain-request.ts';

type Message = Awaited<ReturnType<ChatOpenAI['invoke']>>;

const model = 'gpt-5.1';

const textMember = (from: Record<string, unknown>, name: string): string => {
  const value = from[name];
  return typeof value === 'string' ? value : '';
};

/** The library's type of the usage depends on the type of the message, which is not known here. */
const readUsage = (usage: unknown): Pick<Received, 'usage'> => {
  if (typeof usage !== 'object' || usage === null || !('input_tokens' in usage) || !('output_tokens' in usage))
    return {};
  const numberIn = (details: string, name: string): number => {
    const found: unknown = Object.entries(usage).find(([key]) => key === details)?.[1];
    return Number(Object(found)[name] ?? 0);
  };
  return {
    usage: counted({
      input: Number(usage.input_tokens),
      output: Number(usage.output_tokens),
      cached: numberIn('input_token_details', 'cache_read'),
      reasoning: numberIn('output_token_details', 'reasoning'),
    }),
  };
};

const toContent = (message: Message): ReceivedContent => {
  const { text, tool_calls = [], invalid_tool_calls = [], additional_kwargs, response_metadata } = message;
  if (invalid_tool_calls.length > 0) throw new Error(`A call is invalid: ${invalid_tool_calls[0]?.error}`);
  return {
    text,
    reasoning: textMember(additional_kwargs, 'reasoning_content'),
    calls: tool_calls.map(({ id = '', name, args }) => ({ id, name, args: readArgs(args) })),
    refusal: textMember(additional_kwargs, 'refusal'),
    finish: textMember(response_metadata, 'finish_reason'),
    ...readUsage(message.usage_metadata),
  };
};

const readError = (thrown: unknown): Received['error'] | undefined =>
  thrown instanceof Error && 'status' in thrown && typeof thrown.status === 'number'
    ? { status: thrown.status, message: thrown.message }
    : undefined;

const ask = async ({ ask: question, next }: Scenario, options: AskOptions): Promise<Received> => {
  const tap = tapResponses();
  const client = new ChatOpenAI({
    model: options.model ?? model,
    apiKey: 'not-sent',
    maxRetries: options.retries,
    maxTokens: question.maxTokens,
    useResponsesApi: false,
    ...(question.reasoning && { reasoning: { effort: 'medium' as const } }),
    configuration: { baseURL: `${options.origin}/v1`, defaultHeaders: options.headers, fetch: tap.fetch },
  });
  const runnable = client.withConfig({
    ...(question.tools && {
      tools: question.tools.map(({ name, description, schema }) => ({
        type: 'function' as const,
        function: { name, description, parameters: { ...schema } },
      })),
    }),
    ...(question.schema && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: question.schema.name, schema: { ...question.schema.schema }, strict: true },
      },
    }),
  });
  const whole = (messages: BaseMessage[]): Promise<Message> => runnable.invoke(messages);
  const streamed = async (messages: BaseMessage[]): Promise<Message> => {
    let message: Message | undefined;
    for await (const chunk of await runnable.stream(messages)) message = message?.concat(chunk) ?? chunk;
    if (message === undefined) throw new Error('The stream is empty.');
    return message;
  };
  const take = options.stream ? streamed : whole;
  const run = async (): Promise<ReceivedContent> => {
    const messages = langchainMessages(question);
    const message = await take(messages);
    if (next === undefined) return toContent(message);
    return toContent(
      await take([...messages, message, ...langchainResults(toResults(toContent(message).calls, next))]),
    );
  };
  return receive({ run, readError, tap });
};

/** Calls chat completions through LangChain. */
export const langchainChat: ClientDriver = {
  dialect: 'chat',
  library: '@langchain/openai',
  model,
  finishes: { stop: ['stop'], length: ['length'], 'tool-calls': ['tool_calls'], refusal: ['content_filter'] },
  cannot: [
    {
      scenarios: ['next turn', 'reasoning'],
      families: ['azure-ai', 'mistral-ai', 'groq', 'fireworks-ai'],
      reason: 'It asks only models to reason whose names are those of OpenAI.',
    },
    neverRetries,
  ],
  hides: { refusal: 'The message has no member for it.' },
  ask,
};
