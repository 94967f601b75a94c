import { type Cohere, CohereClientV2, CohereError } from 'cohere-ai';
import type { NextStep, Received, Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { readArgs } from '../read-args.ts';
import { type ReceivedContent, receive } from '../receive.ts';
import { tapResponses } from '../response-tap.ts';
import { toResults } from '../to-results.ts';
import { cohereRequest } from './cohere-request.ts';
import { answerOfStream } from './cohere-stream.ts';
import { toUsage } from './cohere-usage.ts';

const model = 'command-a-reasoning-08-2025';

type Request = Cohere.V2ChatRequest;
type Response = Omit<Cohere.V2ChatResponse, 'id'>;

const toContent = ({ message, finishReason, usage }: Response): ReceivedContent => {
  const content = message.content ?? [];
  return {
    text: content.map((item) => (item.type === 'text' ? item.text : '')).join(''),
    reasoning: content.map((item) => (item.type === 'thinking' ? item.thinking : '')).join(''),
    calls: (message.toolCalls ?? []).map(({ id, function: called }) => ({
      id,
      name: called?.name ?? '',
      args: readArgs(called?.arguments),
    })),
    refusal: '',
    finish: finishReason,
    ...toUsage(usage),
  };
};

const readError = (thrown: unknown): Received['error'] | undefined =>
  thrown instanceof CohereError ? { status: thrown.statusCode ?? 0, message: thrown.message } : undefined;

const nextRequest = (request: Request, response: Response, next: NextStep): Request => ({
  ...request,
  messages: [
    ...request.messages,
    response.message,
    ...toResults(toContent(response).calls, next).map(({ id, text }) => ({
      role: 'tool' as const,
      toolCallId: id,
      content: text,
    })),
  ],
});

const ask = async ({ ask: question, next }: Scenario, options: AskOptions): Promise<Received> => {
  const tap = tapResponses();
  const client = new CohereClientV2({
    environment: options.origin,
    token: 'not-sent',
    maxRetries: options.retries,
    headers: { ...options.headers },
    fetch: tap.fetch,
  });
  const take = async (request: Request): Promise<Response> =>
    options.stream ? answerOfStream(await client.chatStream(request)) : client.chat(request);
  const run = async (): Promise<ReceivedContent> => {
    const request = cohereRequest(question, options.model ?? model);
    const response = await take(request);
    return toContent(next === undefined ? response : await take(nextRequest(request, response, next)));
  };
  return receive({ run, readError, tap });
};

/** Calls Cohere's Chat API through Cohere's client. */
export const cohereChat: ClientDriver = {
  dialect: 'cohere',
  library: 'cohere-ai',
  model,
  finishes: { stop: ['COMPLETE'], length: ['MAX_TOKENS'], 'tool-calls': ['TOOL_CALL'], refusal: [] },
  cannot: [{ scenarios: ['document'], reason: 'Documents of a request are texts.' }],
  ask,
};
