import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, CountTokensCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';
import { askedModel, counted, countingWorld, instructions, type Row, rows, words } from './support/counting-world.ts';

const world = gatewayAndUpstream();
const { headersOf, serve } = countingWorld(world);

interface Counted {
  readonly tokens: number | undefined;
  readonly isEstimated: boolean;
  readonly dropped: string | null;
}

type Ask = (row: Row, more?: JsonObject) => Promise<Counted>;

const modelOf = ({ model, settings }: Row): string => (settings === undefined ? askedModel : model);

const toCounted = (tokens: number | undefined, read: (name: string) => string | null | undefined): Counted => ({
  tokens,
  isEstimated: read('x-gw-estimated') === 'true',
  dropped: read('x-gw-dropped-params') ?? null,
});

/** The official libraries, unmodified. */
const clients: Readonly<Record<string, Ask>> = {
  'messages-count': async (row, more) => {
    const client = new Anthropic({
      ...{ baseURL: world.gateway.origin, apiKey: 'not-sent', maxRetries: 0, defaultHeaders: headersOf(row, more) },
    });
    const { data, response } = await client.messages
      .countTokens({ model: modelOf(row), system: instructions, messages: [{ role: 'user', content: words }] })
      .withResponse();
    return toCounted(data.input_tokens, (name) => response.headers.get(name));
  },
  'responses-count': async (row, more) => {
    const client = new OpenAI({
      ...{ baseURL: world.gateway.baseUrl, apiKey: 'not-sent', maxRetries: 0, defaultHeaders: headersOf(row, more) },
    });
    const { data, response } = await client.responses.inputTokens
      .count({ model: modelOf(row), instructions, input: words })
      .withResponse();
    expect(data.object).toBe('response.input_tokens');
    return toCounted(data.input_tokens, (name) => response.headers.get(name));
  },
  'gemini-count': async (row, more) => {
    const { models } = new GoogleGenAI({
      apiKey: 'not-sent',
      httpOptions: { baseUrl: world.gateway.origin, headers: headersOf(row, more) },
    });
    // The library cannot send a system instruction to the Gemini API.
    const { totalTokens, sdkHttpResponse } = await models.countTokens({ model: modelOf(row), contents: words });
    const { headers = {} } = sdkHttpResponse ?? {};
    return toCounted(totalTokens, (name) => headers[name]);
  },
  'converse-count': async (row, more) => {
    let headers: Record<string, string> = {};
    const client = new BedrockRuntimeClient({
      ...{ endpoint: world.gateway.origin, region: 'us-east-1', token: { token: 'not-sent' }, maxAttempts: 1 },
      ...{ authSchemePreference: ['httpBearerAuth'], requestHandler: new NodeHttpHandler() },
    });
    client.middlewareStack.add(
      (next) => async (args) => {
        const request = args.request as { readonly headers: Record<string, string> };
        Object.assign(request.headers, headersOf(row, more));
        const result = await next(args);
        headers = (result.response as { readonly headers: Record<string, string> }).headers;
        return result;
      },
      { step: 'build' },
    );
    const { inputTokens } = await client.send(
      new CountTokensCommand({
        modelId: modelOf(row),
        input: {
          converse: { system: [{ text: instructions }], messages: [{ role: 'user', content: [{ text: words }] }] },
        },
      }),
    );
    return toCounted(inputTokens, (name) => headers[name]);
  },
};

describe.each(Object.entries(clients))('a client of %s', (dialect, ask) => {
  it.each(rows.map((row) => [row.name, row] as const))('counts at %s', async (_, row) => {
    const requests = serve(row);
    const { tokens, isEstimated, dropped } = await ask(row);
    const { counts } = row;
    const asked = counts.find(({ own }) => own === dialect) ?? counts[0];
    expect(requests.map(({ path }) => path)).toEqual(asked === undefined ? [] : [asked.path]);
    expect(isEstimated).toBe(asked === undefined);
    expect(dropped).toBeNull();
    if (asked !== undefined) expect(tokens).toBe(counted);
    else {
      expect(tokens).toBeGreaterThan(3);
      expect(tokens).toBeLessThan(20);
    }
    const sent = requests[0]?.text();
    if (sent !== undefined) expect(sent).toContain(words);
    if (sent !== undefined && dialect !== 'gemini-count') expect(sent).toContain(instructions);
  });
});
