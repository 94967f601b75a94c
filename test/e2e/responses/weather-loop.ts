import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, type ModelMessage, streamText } from 'ai';
import type { JsonObject } from '../../../schema/json/json.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

export const args: JsonObject = { city: 'Graz' };
const gemini = (parts: readonly JsonObject[]): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 4, totalTokenCount: 9 },
  modelVersion: 'gemini-3-pro-preview',
});
const called = [
  { text: 'Let me look.' },
  { functionCall: { id: 'c1', name: 'weather', args }, thoughtSignature: 'c2lnbmVk' },
];
const cohere = (message: JsonObject): JsonObject => ({
  id: 'a-1',
  message: { role: 'assistant', ...message },
  finish_reason: message.tool_calls === undefined ? 'COMPLETE' : 'TOOL_CALL',
  usage: { tokens: { input_tokens: 5, output_tokens: 4 } },
});
export const cohereCall: JsonObject = {
  id: 'c1',
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify(args) },
};
const cohereEvents = (hasResult: boolean): readonly JsonObject[] => [
  { type: 'message-start', id: 'a-1', delta: { message: { role: 'assistant' } } },
  ...(hasResult
    ? [
        { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
        { type: 'content-delta', index: 0, delta: { message: { content: { text: 'It rains.' } } } },
        { type: 'content-end', index: 0 },
      ]
    : [
        { type: 'tool-plan-delta', delta: { message: { tool_plan: 'Let me look.' } } },
        { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: cohereCall } } },
        { type: 'tool-call-end', index: 0 },
      ]),
  { type: 'message-end', delta: { finish_reason: hasResult ? 'COMPLETE' : 'TOOL_CALL' } },
];

/**
 * Starts a vendor that calls a tool, in the form of Gemini and of Cohere, and answers with the weather once it has a result.
 */
export const startWeather = async (): Promise<TestUpstream> => {
  const upstream = await startUpstream();
  upstream.handle((call) => {
    const { path, body } = call.request;
    const hasResult = /functionResponse|"role":"tool"/.test(body.toString());
    const isGemini = path.includes('generateContent') || path.includes('streamGenerateContent');
    const whole = isGemini
      ? gemini(hasResult ? [{ text: 'It rains.' }] : called)
      : cohere(
          hasResult
            ? { content: [{ type: 'text', text: 'It rains.' }] }
            : { tool_plan: 'Let me look.', tool_calls: [cohereCall] },
        );
    const isStream = path.includes('streamGenerateContent') || JSON.parse(body.toString()).stream === true;
    if (!isStream) return call.json(whole);
    const stream = call.sse();
    for (const event of isGemini ? [whole] : cohereEvents(hasResult)) stream.frame(event, event.type as string);
    stream.end();
  });
  return upstream;
};

const tools = {
  weather: {
    inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  },
};

/** The address to which a library sends its requests, and their headers. */
export interface WeatherClient {
  readonly baseURL: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const question: ModelMessage = { role: 'user', content: 'How is the weather in Graz?' };

/** The text of a step, the tools it called, and the messages that the next step repeats. */
export interface Step {
  readonly text: string;
  readonly toolCalls: readonly { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }[];
  readonly response: { readonly messages: readonly ModelMessage[] };
}

/** Runs one step of Vercel's library with the responses API, which is its default. */
export const step = async (client: WeatherClient, messages: ModelMessage[], stream: boolean): Promise<Step> => {
  const model = createOpenAI({ ...client, apiKey: 'not-sent' })('a-model');
  const params = { model, messages, tools, maxRetries: 0 };
  if (!stream) return await generateText(params);
  const result = streamText({ ...params, onError: () => undefined });
  await result.consumeStream();
  const { messages: answered } = await result.response;
  return { text: await result.text, toolCalls: await result.toolCalls, response: { messages: answered } };
};

/** Returns the messages that follow a step that called the tool. */
export const answered = ({ toolCalls: [call], response }: Step): ModelMessage[] => [
  question,
  ...response.messages,
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: call?.toolCallId ?? '',
        toolName: 'weather',
        output: { type: 'text', value: 'rain' },
      },
    ],
  },
];

/** The contents that Gemini receives then. */
export const geminiContents: JsonObject[] = [
  { role: 'user' },
  { role: 'model', parts: [{ text: 'Let me look.' }, { functionCall: { args }, thoughtSignature: 'c2lnbmVk' }] },
  { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'rain' } } }] },
];
