import type { DialectMembers } from '../../../../plugins/sdk/dialect/members.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { declaredSamples } from '../../../support/declared/declared-samples.ts';

export interface DeclaredBody {
  readonly dialect: string;
  readonly side: keyof DialectMembers;
  /** The file in `node_modules` that declares it, which belongs to the vendor's own client. */
  readonly file: string;
  readonly type: string;
  /** Puts a part of a body in its place. Absent if the type is that of the whole body. */
  readonly within?: (part: JsonObject) => JsonObject;
}

type Types = { readonly [Side in keyof DialectMembers]?: string };

const bodies = (dialect: string, file: string, types: Types): readonly DeclaredBody[] =>
  Object.entries(types).map(([side, type]) => ({ dialect, file, type, side: side as keyof DialectMembers }));

const openai = 'openai/resources';
const anthropic = '@anthropic-ai/sdk/resources';
const google = '@google/genai/dist/genai.d.ts';
const cohere = 'cohere-ai/dist/serialization/resources/v2';
const bedrock = '@aws-sdk/client-bedrock-runtime/dist-types/models/models_0.d.ts';

/** Google's client has its own form of a request, of which only parts are sent as they are. */
const gemini = { dialect: 'gemini', file: google } as const;

/** The bodies of requests, answers and frames that the vendors' own clients declare. */
export const declaredBodies: readonly DeclaredBody[] = [
  ...bodies('chat', `${openai}/chat/completions/completions.d.ts`, {
    request: 'ChatCompletionCreateParamsBase',
    answer: 'ChatCompletion',
    frame: 'ChatCompletionChunk',
  }),
  ...bodies('responses', `${openai}/responses/responses.d.ts`, {
    request: 'ResponseCreateParamsBase',
    answer: 'Response',
    frame: 'ResponseStreamEvent',
  }),
  ...bodies('responses', `${openai}/beta/responses/responses.d.ts`, {
    request: 'ResponseCreateParamsBase',
    answer: 'BetaResponse',
    frame: 'BetaResponseStreamEvent',
  }),
  ...bodies('responses-count', `${openai}/responses/input-tokens.d.ts`, {
    request: 'InputTokenCountParams',
    answer: 'InputTokenCountResponse',
  }),
  ...bodies('completions', `${openai}/completions.d.ts`, {
    request: 'CompletionCreateParamsBase',
    answer: 'Completion',
    frame: 'Completion',
  }),
  ...bodies('embeddings', `${openai}/embeddings.d.ts`, {
    request: 'EmbeddingCreateParams',
    answer: 'CreateEmbeddingResponse',
  }),
  ...bodies('images', `${openai}/images.d.ts`, {
    request: 'ImageGenerateParamsBase',
    answer: 'ImagesResponse',
  }),
  ...bodies('moderations', `${openai}/moderations.d.ts`, {
    request: 'ModerationCreateParams',
    answer: 'ModerationCreateResponse',
  }),
  ...bodies('messages', `${anthropic}/messages/messages.d.ts`, {
    request: 'MessageCreateParamsBase',
    answer: 'Message',
    frame: 'RawMessageStreamEvent',
  }),
  ...bodies('messages', `${anthropic}/beta/messages/messages.d.ts`, {
    request: 'MessageCreateParamsBase',
    answer: 'BetaMessage',
    frame: 'BetaRawMessageStreamEvent',
  }),
  ...bodies('messages-count', `${anthropic}/messages/messages.d.ts`, {
    request: 'MessageCountTokensParams',
    answer: 'MessageTokensCount',
  }),
  ...bodies('converse', bedrock, {
    request: 'ConverseRequest',
    answer: 'ConverseResponse',
    frame: 'ConverseStreamOutput',
  }),
  ...bodies('cohere', `${cohere}/client/requests/V2ChatRequest.d.ts`, { request: 'V2ChatRequest.Raw' }),
  ...bodies('cohere', `${cohere}/types/V2ChatResponse.d.ts`, { answer: 'V2ChatResponse.Raw' }),
  ...bodies('cohere', `${cohere}/types/V2ChatStreamResponse.d.ts`, { frame: 'V2ChatStreamResponse.Raw' }),
  ...bodies('cohere-embeddings', `${cohere}/client/requests/V2EmbedRequest.d.ts`, { request: 'V2EmbedRequest.Raw' }),
  ...bodies('rerank', `${cohere}/client/requests/V2RerankRequest.d.ts`, { request: 'V2RerankRequest.Raw' }),
  ...bodies('rerank', `${cohere}/types/V2RerankResponse.d.ts`, { answer: 'V2RerankResponse.Raw' }),
  { ...gemini, side: 'request', type: 'Content', within: (content) => ({ contents: [content] }) },
  { ...gemini, side: 'request', type: 'Content', within: (content) => ({ systemInstruction: content }) },
  { ...gemini, side: 'request', type: 'GenerationConfig', within: (config) => ({ generationConfig: config }) },
  { ...gemini, side: 'answer', type: 'Candidate', within: (candidate) => ({ candidates: [candidate] }) },
  {
    ...gemini,
    side: 'answer',
    type: 'GenerateContentResponsePromptFeedback',
    within: (feedback) => ({ promptFeedback: feedback }),
  },
  {
    ...gemini,
    side: 'answer',
    type: 'GenerateContentResponseUsageMetadata',
    within: (usage) => ({ usageMetadata: usage }),
  },
];

/** Returns bodies that contain each declared member of each variant once. */
export const bodiesOf = ({ file, type, within = (part) => part }: DeclaredBody): readonly JsonObject[] =>
  declaredSamples(file, type)
    .map(within)
    .filter((body) => Object.keys(body).length > 0);
