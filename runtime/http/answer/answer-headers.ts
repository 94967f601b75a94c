import type { GatewayResponse, RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { optionPath } from '../../engine/forwarded-headers/attempts-header.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';

/** Whether a header describes how the bytes were transferred to the gateway, and not the answer. */
const isFraming = (name: string): boolean => {
  // Node refuses to announce trailer fields of an answer that has a length.
  if (name.length === 7) return name.toLowerCase() === 'trailer';
  if (name.length === 14) return name.toLowerCase() === 'content-length';
  return name.length === 17 && name.toLowerCase() === 'transfer-encoding';
};

const hasFraming = (headers: RawHeaders): boolean => {
  for (let at = 0; at < headers.length; at += 2) if (isFraming(headers[at] ?? '')) return true;
  return false;
};

const withoutFraming = (headers: RawHeaders): string[] =>
  headers.filter((_, at) => !isFraming(headers[at - (at % 2)] ?? ''));

/**
 * Returns the answer's own headers in their order and spelling, followed by the gateway's. A whole body gets its length, except
 * if none is sent (`HEAD`, 304): the length then describes another answer and is kept. A 204 has no length (RFC 9110 §8.6).
 */
export const answerHeaders = (response: GatewayResponse, exchange: HttpExchange): string[] => {
  const { headers, body, leaf, status } = response;
  const isEmpty = status === 204;
  const bodiless = exchange.request.method === 'HEAD' || isEmpty || status === 304;
  const measured = body.kind === 'bytes' && !bodiless;
  const lines = (measured || isEmpty) && hasFraming(headers) ? withoutFraming(headers) : headers.slice();
  if (measured) lines.push('content-length', String(body.bytes.length));
  lines.push('x-gw-trace-id', exchange.traceId);
  if (leaf !== undefined) {
    if (leaf.provider !== '') lines.push('x-gw-provider', leaf.provider);
    lines.push('x-gw-last-used-option-index', optionPath(leaf.path));
    lines.push('x-gw-retry-attempt-count', String(leaf.retries), 'x-gw-cache-status', leaf.cache);
  }
  if (exchange.plan !== undefined) lines.push('x-gw-plan', exchange.plan.label);
  exchange.caller.accepted?.answer(lines);
  return lines;
};
