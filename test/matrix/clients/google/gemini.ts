import { ApiError, type Candidate, type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai';
import type { Scenario, Told } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { knownMembers } from '../known.ts';
import { readArgs } from '../read-args.ts';
import { tapResponses } from '../response-tap.ts';
import { type Said, tell } from '../tell.ts';
import { geminiRequest } from './gemini-request.ts';

const model = 'gemini-3-flash-preview';

/** The library has no helper for streams: every response has the next parts, and the last one how it ended. */
const saidBy = (responses: readonly GenerateContentResponse[]): Said => {
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
      usage: {
        input: usage.promptTokenCount ?? 0,
        output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
      },
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

const readError = (thrown: unknown): Told['error'] | undefined =>
  thrown instanceof ApiError ? { status: thrown.status, message: thrown.message } : undefined;

const ask = async (scenario: Scenario, options: AskOptions): Promise<Told> => {
  const tap = tapResponses();
  const { models } = new GoogleGenAI({
    apiKey: 'not-sent',
    vertexai: false,
    httpOptions: { baseUrl: options.origin, headers: { ...options.headers }, fetch: tap.fetch },
  });
  const params = geminiRequest(scenario.ask, options.model ?? model);
  const whole = async (): Promise<Said> => saidBy([await models.generateContent(params)]);
  const streamed = async (): Promise<Said> => {
    const responses: GenerateContentResponse[] = [];
    for await (const response of await models.generateContentStream(params)) {
      checkResponse(response);
      responses.push(response);
    }
    return saidBy(responses);
  };
  return tell({ say: options.stream ? streamed : whole, readError, dropped: tap.dropped });
};

/** Asks Gemini through Google's client. */
export const googleGemini: ClientDriver = {
  dialect: 'gemini',
  library: '@google/genai',
  model,
  finishes: { stop: ['STOP'], length: ['MAX_TOKENS'], 'tool-calls': ['STOP'], refusal: ['SAFETY'] },
  ask,
};
