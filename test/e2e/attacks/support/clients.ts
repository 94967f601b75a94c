import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../../../plugins/dialects/cohere/cohere.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';

/** The word that no request and no answer may contain. */
export const word: string = 'plutonium';

/** A client of a dialect, served by a provider of it. */
export interface Client {
  readonly dialect: Dialect;
  readonly provider: string;
  readonly path: string;
  readonly streamPath?: string;
  /** A conversation that ends with a turn of the model, begun by the caller. */
  prefilled(words: string): JsonObject;
}

const turns = (words: string): JsonObject => ({
  messages: [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: words },
  ],
});

export const clients: readonly Client[] = [
  { dialect: chat, provider: 'openai', path: '/v1/chat/completions', prefilled: turns },
  { dialect: messages, provider: 'anthropic', path: '/v1/messages', prefilled: turns },
  {
    dialect: responses,
    provider: 'openai',
    path: '/v1/responses',
    prefilled: (words) => ({ input: turns(words).messages ?? [] }),
  },
  {
    dialect: gemini,
    provider: 'google',
    path: '/v1beta/models/m:generateContent',
    streamPath: '/v1beta/models/m:streamGenerateContent?alt=sse',
    prefilled: (words) => ({
      contents: [
        { role: 'user', parts: [{ text: 'Hi.' }] },
        { role: 'model', parts: [{ text: words }] },
      ],
    }),
  },
  { dialect: cohere, provider: 'cohere', path: '/v2/chat', prefilled: turns },
];

/** A check that denies every text with the word. */
const neverWord: JsonObject = { 'default.regexMatch': { rule: word, not: true }, deny: true };

export interface Asked {
  readonly gateway: string;
  readonly upstream: string;
  readonly body: JsonObject | string;
  readonly stream?: boolean;
  readonly checks?: readonly Json[];
}

/** Sends a request whose checks judge it and its answer. A string body is sent unchanged. */
export const askChecked = async (
  { provider, path, streamPath, dialect }: Client,
  { gateway, upstream, body, stream = false, checks = [neverWord] }: Asked,
): Promise<{ readonly status: number; readonly text: string; readonly bytes: Buffer }> => {
  const config = {
    provider,
    api_key: 'k',
    custom_host: upstream,
    input_guardrails: checks,
    output_guardrails: checks,
  };
  const answer = await fetch(`${gateway}${stream ? (streamPath ?? path) : path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
    body: typeof body === 'string' ? body : JSON.stringify(asked(dialect, body, stream)),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, text: withoutResults(bytes.toString()), bytes };
};

/** Removes the results of checks from a client's answer, because they quote what they judge. */
const withoutResults = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !(line.startsWith('data:') && line.includes('"hook_results"')))
    .map((line) => {
      if (!line.startsWith('{"hook_results"')) return line;
      const { hook_results: _results, ...rest } = JSON.parse(line) as JsonObject;
      return JSON.stringify(rest);
    })
    .join('\n');

/** A body with the members that its dialect requires in every request. */
const asked = (dialect: Dialect, body: JsonObject, stream: boolean): JsonObject => ({
  ...(dialect === gemini ? {} : { model: 'm' }),
  ...(dialect === messages ? { max_tokens: 9 } : {}),
  ...body,
  ...(stream && dialect !== gemini ? { stream } : {}),
});
