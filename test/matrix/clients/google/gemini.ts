import {
  ApiError,
  type Candidate,
  type Content,
  type GenerateContentResponse,
  GoogleGenAI,
  type Models,
  type Part,
} from '@google/genai';
import type { NextStep, Received, Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { knownMembers } from '../known.ts';
import { readArgs } from '../read-args.ts';
import { counted, type ReceivedContent, receive } from '../receive.ts';
import { tapResponses } from '../response-tap.ts';
import { toResults } from '../to-results.ts';
import { type GeminiRequest, geminiRequest } from './gemini-request.ts';

type Responses = readonly GenerateContentResponse[];

const model = 'gemini-3-flash-preview';

/** The library has no helper for streams: every response contains the next parts, and the last one how the answer ended. */
const toContent = (responses: readonly GenerateContentResponse[]): ReceivedContent => {
  const candidates = responses.flatMap(({ candidates: [candidate] = [] }): readonly Candidate[] =>
    candidate === undefined ? [] : [candidate],
  );
  const parts = candidates.flatMap(({ content }): readonly Part[] => content?.parts ?? []);
  const usage = responses.findLast(({ usageMetadata }) => usageMetadata !== undefined)?.usageMetadata;
  return {
    text: parts.map(({ text = '', thought }) => (thought === true ? '' : text)).join(''),
    reasoning: parts.map(({ text = '', thought }) => (thought === true ? text : '')).join(''),
    calls: parts.flatMap(({ functionCall: call }) =>
      call === undefined ? [] : [{ id: call.id ?? '', name: call.name ?? '', args: readArgs(call.args ?? {}) }],
    ),
    refusal: '',
    finish: candidates.findLast(({ finishReason }) => finishReason !== undefined)?.finishReason ?? '',
    ...(usage && {
      usage: counted({
        input: usage.promptTokenCount ?? 0,
        output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
        cached: usage.cachedContentTokenCount ?? 0,
        reasoning: usage.thoughtsTokenCount ?? 0,
      }),
    }),
  };
};

const checkResponse = (response: GenerateContentResponse): void => {
  const own = ['candidates', 'modelVersion', 'promptFeedback', 'responseId', 'usageMetadata', 'createTime'];
  knownMembers('A response', response, ['sdkHttpResponse', ...own]);
  for (const { content, ...candidate } of response.candidates ?? []) {
    knownMembers('A candidate', candidate, ['finishReason', 'finishMessage', 'index', 'safetyRatings']);
    for (const part of content?.parts ?? [])
      knownMembers('A part', part, ['text', 'thought', 'thoughtSignature', 'functionCall']);
  }
};

const readError = (thrown: unknown): Received['error'] | undefined =>
  thrown instanceof ApiError ? { status: thrown.status, message: thrown.message } : undefined;

const streamed = async (models: Models, params: GeminiRequest): Promise<Responses> => {
  const responses: GenerateContentResponse[] = [];
  for await (const response of await models.generateContentStream(params)) {
    checkResponse(response);
    responses.push(response);
  }
  return responses;
};

const whole = async (models: Models, params: GeminiRequest): Promise<Responses> => [
  await models.generateContent(params),
];

/** As in the library's chats, each response of a stream becomes one content. */
const toContents = (responses: Responses): readonly Content[] =>
  responses.flatMap(({ candidates: [candidate] = [] }) => candidate?.content ?? []);

const nextParams = (params: GeminiRequest, responses: Responses, next: NextStep): GeminiRequest => ({
  ...params,
  contents: [
    ...params.contents,
    ...toContents(responses),
    {
      role: 'user',
      parts: toResults(toContent(responses).calls, next).map(({ id, name, text }) => ({
        functionResponse: { ...(id !== '' && { id }), name, response: { output: text } },
      })),
    },
  ],
});

const ask = async ({ ask: question, next }: Scenario, options: AskOptions): Promise<Received> => {
  const tap = tapResponses();
  const { models } = new GoogleGenAI({
    apiKey: 'not-sent',
    vertexai: false,
    httpOptions: {
      baseUrl: options.origin,
      headers: { ...options.headers },
      fetch: tap.fetch,
      ...(options.retries > 0 && { retryOptions: { attempts: options.retries + 1 } }),
    },
  });
  const take = options.stream ? streamed : whole;
  const run = async (): Promise<ReceivedContent> => {
    const params = geminiRequest(question, options.model ?? model);
    const responses = await take(models, params);
    if (next === undefined) return toContent(responses);
    return toContent(await take(models, nextParams(params, responses, next)));
  };
  return receive({ run, readError, tap });
};

/** Calls Gemini through Google's client. */
export const googleGemini: ClientDriver = {
  dialect: 'gemini',
  library: '@google/genai',
  model,
  finishes: { stop: ['STOP'], length: ['MAX_TOKENS'], 'tool-calls': ['STOP'], refusal: ['SAFETY'] },
  ask,
};
