import OpenAI from 'openai';
import type { Received } from '../../scenario.ts';
import type { AskOptions } from '../client-driver.ts';
import type { ResponseTap } from '../response-tap.ts';

/** OpenAI's client, pointed at the gateway. */
export const openaiClient = ({ origin, headers, retries }: AskOptions, tap: ResponseTap): OpenAI =>
  new OpenAI({
    baseURL: `${origin}/v1`,
    apiKey: 'not-sent',
    maxRetries: retries,
    defaultHeaders: headers,
    fetch: tap.fetch,
  });

/** Returns the status and message of the client's error. */
export const openaiError = (thrown: unknown): Received['error'] | undefined =>
  thrown instanceof OpenAI.APIError ? { status: thrown.status ?? 0, message: thrown.message } : undefined;
