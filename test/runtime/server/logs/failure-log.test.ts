import { describe, expect, it } from 'vitest';
import { createHooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import { LinkError } from '../../../../runtime/engine/link-error.ts';
import { HttpExchange } from '../../../../runtime/http/exchange/http-exchange.ts';
import { callerHeaderReader } from '../../../../runtime/http/headers/read-caller-headers.ts';
import { failureLog } from '../../../../runtime/server/logs/failure-log.ts';
import { errorReport, GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';

const linesFor = (error: Error): readonly string[] => {
  const lines: string[] = [];
  const hooks = createHooks();
  failureLog((text) => lines.push(text)).apply?.(hooks, {});
  const headers = ['x-gw-trace-id', 'trace-1'];
  const exchange = new HttpExchange({
    method: 'GET',
    match: { url: '/v1/models', path: '/models', route: { operation: 'opaque' } },
    headers,
    caller: callerHeaderReader([])(headers),
    seed: 1,
    startedAt: 0,
  });
  hooks.failed.call(error, exchange);
  return lines;
};

describe('the log of failures', () => {
  it('has the stack of the error, under the trace id that the caller received', () => {
    const cause = new TypeError('No such table.');
    const [line] = linesFor(new GatewayError(errorReport('internal-error', {}), { cause }));
    expect(line).toMatch(/^gw: The request trace-1 failed\. TypeError: No such table\.\n +at /);
    expect(linesFor(cause)[0]).toBe(line);
  });

  it('names what is missing on one line', () => {
    const cause = new LinkError('header', ['The secret ${env:A} is missing.', 'So is another.']);
    expect(linesFor(new GatewayError(errorReport('saved-not-usable', {}), { cause }))).toEqual([
      'gw: The request trace-1 failed. The secret ${env:A} is missing. So is another.\n',
    ]);
  });

  it('does not repeat what the caller receives', () =>
    expect(linesFor(gatewayError('missing-provider', { suggestion: 'Send one.' }))).toEqual([]));
});
