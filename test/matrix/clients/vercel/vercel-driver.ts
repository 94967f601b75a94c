import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  Output,
  streamText,
} from 'ai';
import type { Ask, Received, Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { knownType } from '../known.ts';
import { readArgs } from '../read-args.ts';
import { counted, type ReceivedContent, receive } from '../receive.ts';
import { type ResponseTap, tapResponses } from '../response-tap.ts';
import { toResults } from '../to-results.ts';
import { vercelMessages, vercelResults, vercelTools } from './vercel-request.ts';

type Params = Parameters<typeof generateText>[0];

export interface VercelProvider
  extends Pick<ClientDriver, 'dialect' | 'library' | 'model' | 'cannot' | 'hides' | 'addsToLimit' | 'result'> {
  languageModel(options: AskOptions, tap: ResponseTap, model: string): LanguageModel;
  /** Options that enable reasoning in the provider's models, if the library's own setting does not show it. */
  reasoning?(model: string): Params['providerOptions'];
}

interface Result {
  readonly text: string;
  readonly reasoningText: string | undefined;
  readonly toolCalls: readonly { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }[];
  readonly finishReason: string;
  readonly usage: LanguageModelUsage;
}

const toContent = ({ text, reasoningText = '', toolCalls, finishReason, usage }: Result): ReceivedContent => ({
  text,
  reasoning: reasoningText,
  calls: toolCalls.map((call) => ({ id: call.toolCallId, name: call.toolName, args: readArgs(call.input) })),
  refusal: '',
  finish: finishReason,
  ...(usage.inputTokens !== undefined &&
    usage.outputTokens !== undefined && {
      usage: counted({
        input: usage.inputTokens,
        output: usage.outputTokens,
        cached: usage.inputTokenDetails.cacheReadTokens ?? 0,
        reasoning: usage.outputTokenDetails.reasoningTokens ?? 0,
      }),
    }),
});

/** https://ai-sdk.dev/docs/reference/ai-sdk-core/stream-text, without sources, files and approvals. */
const partTypes = [
  ...['start', 'start-step', 'finish-step', 'finish', 'error'],
  ...['text', 'reasoning', 'tool-input'].flatMap((kind) => [`${kind}-start`, `${kind}-delta`, `${kind}-end`]),
  'tool-call',
  // What the first event of a stream contains in addition to the message.
  'anthropic.message_start',
];

interface Turn {
  readonly content: ReceivedContent;
  /** The library's own objects, which are part of the next request. */
  readonly messages: readonly ModelMessage[];
}

const whole = async (params: Params): Promise<Turn> => {
  const result = await generateText(params);
  return { content: toContent(result), messages: result.response.messages };
};

const streamed = async (params: Params): Promise<Turn> => {
  const result = streamText({ ...params, onError: () => undefined });
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error;
    knownType('A part', part.type === 'custom' ? part.kind : part.type, partTypes);
  }
  const [text, reasoningText, toolCalls] = await Promise.all([result.text, result.reasoningText, result.toolCalls]);
  const [finishReason, usage, { messages }] = await Promise.all([result.finishReason, result.usage, result.response]);
  return { content: toContent({ text, reasoningText, toolCalls, finishReason, usage }), messages };
};

const readError = (thrown: unknown): Received['error'] | undefined =>
  APICallError.isInstance(thrown) ? { status: thrown.statusCode ?? 0, message: thrown.message } : undefined;

const toParams = (ask: Ask, model: LanguageModel, reasoning: Params['providerOptions']): Params => ({
  model,
  maxOutputTokens: ask.maxTokens,
  messages: vercelMessages(ask),
  ...(ask.system !== undefined && { instructions: ask.system }),
  ...(ask.tools && { tools: vercelTools(ask) }),
  ...(ask.schema && {
    output: Output.object({ name: ask.schema.name, schema: jsonSchema({ ...ask.schema.schema }) }),
  }),
  ...(ask.reasoning && (reasoning ? { providerOptions: reasoning } : { reasoning: 'medium' as const })),
});

/** Creates a driver for Vercel's library and its package for a provider. */
export const vercelDriver = ({ languageModel, reasoning, ...driver }: VercelProvider): ClientDriver => ({
  ...driver,
  finishes: { stop: ['stop'], length: ['length'], 'tool-calls': ['tool-calls'], refusal: ['content-filter'] },
  ask: async ({ ask, next }: Scenario, options: AskOptions): Promise<Received> => {
    const tap = tapResponses();
    const { model = driver.model, retries } = options;
    const params = { ...toParams(ask, languageModel(options, tap, model), reasoning?.(model)), maxRetries: retries };
    const take = options.stream ? streamed : whole;
    const run = async (): Promise<ReceivedContent> => {
      const { content, messages } = await take(params);
      if (next === undefined) return content;
      const results = vercelResults(toResults(content.calls, next));
      const all = [...vercelMessages(ask), ...messages, results];
      return (await take({ ...params, messages: all } as Params)).content;
    };
    return receive({ run, readError, tap });
  },
});
