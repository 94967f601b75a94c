import { isIP } from 'node:net';
import { isJsonObject } from '../../../schema/json/json.ts';
import type { CheckHttp } from '../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../sdk/http/http.ts';
import { askForJson } from './ask-service.ts';

export interface Resolver {
  readonly http: CheckHttp;
  /** The URL of a resolver that answers in JSON. */
  readonly url: string;
  readonly timeoutMs: number;
}

const types = ['A', 'AAAA'] as const;

const hasAddress = async (
  { http, url, timeoutMs }: Resolver,
  question: URL,
  cancellation: Cancellation,
): Promise<boolean> => {
  const request = {
    method: 'GET',
    url: question.href,
    headers: { accept: 'application/dns-json' },
    timeoutMs,
    cancellation,
  };
  const what = `The resolver ${new URL(url).host}`;
  const { Status: status, Answer: answer = [] } = await askForJson(http, request, what);
  if (typeof status !== 'number' || !Array.isArray(answer) || !answer.every(isJsonObject))
    throw new Error(`${what} answered with JSON that is not a DNS answer.`);
  return status === 0 && answer.length > 0;
};

/**
 * Whether a host name has an address, according to a resolver with DNS over HTTPS in JSON:
 * https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/
 */
export const hostResolves = async (host: string, resolver: Resolver, cancellation: Cancellation): Promise<boolean> => {
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return true;
  for (const type of types) {
    const question = new URL(resolver.url);
    question.searchParams.set('name', host);
    question.searchParams.set('type', type);
    if (await hasAddress(resolver, question, cancellation)) return true;
  }
  return false;
};
