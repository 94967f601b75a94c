import OpenAI from 'openai';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { GatewayAndUpstream } from '../../support/gateway-and-upstream.ts';

/** Creates OpenAI's client for a gateway and a config. */
export const imageClient = (
  { gateway }: GatewayAndUpstream,
  config: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): OpenAI =>
  new OpenAI({
    baseURL: gateway.baseUrl,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': JSON.stringify(config), ...headers },
  });

/** The usage of a request, as its answer reports it. */
export const usageOf = (headers: Headers): JsonObject => JSON.parse(headers.get('x-gw-usage') ?? '{}');
