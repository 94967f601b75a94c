import { describe, expect, it } from 'vitest';
import { createHooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import { LinkError } from '../../../../runtime/engine/link-error.ts';
import { HttpExchange } from '../../../../runtime/http/exchange/http-exchange.ts';
import { callerHeaderReader } from '../../../../runtime/http/headers/read-caller-headers.ts';
import { failureLog } from '../../../../runtime/server/logs/failure-log.ts';
import { errorReport, GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';

/** Returns what is written for failures at some times, in milliseconds. */
const linesAt = (failures: readonly (readonly [at: number, error: Error])[]): readonly string[] => {
  const lines: string[] = [];
  const hooks = createHooks();
  let now = 0;
  failureLog((text) => lines.push(text), { monotonic: () => now }).apply?.(hooks, {});
  const headers = ['x-gw-trace-id', 'trace-1'];
  const exchange = new HttpExchange({
    method: 'GET',
    match: { url: '/v1/models', path: '/models', route: { operation: 'opaque' } },
    headers,
    caller: callerHeaderReader([])(headers),
    seed: 1,
    startedAt: 0,
  });
  for (const [at, error] of failures) {
    now = at;
    hooks.failed.call(error, exchange);
  }
  return lines;
};

const linesFor = (error: Error): readonly string[] => linesAt([[0, error]]);

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

  it('has a cause that is a sentence once a minute, with a count of the others', () => {
    const away = (cause: string): Error => new GatewayError(errorReport('store-unavailable', {}), { cause });
    const failures = [0, 1, 2, 59_999, 60_000].map((at) => [at, away('It is stopped.')] as const);
    expect(linesAt([...failures, [60_001, away('It is full.')]])).toEqual([
      'gw: The request trace-1 failed. It is stopped.\n',
      'gw: The request trace-1 failed, and 3 before it since the last such line. It is stopped.\n',
      'gw: The request trace-1 failed. It is full.\n',
    ]);
  });

  it('has each failure whose cause is an error', () => {
    const failed = new GatewayError(errorReport('internal-error', {}), { cause: new TypeError('No such table.') });
    expect(linesAt([0, 1, 2].map((at) => [at, failed]))).toHaveLength(3);
  });

  it('does not repeat what the caller receives', () =>
    expect(linesFor(gatewayError('missing-provider', { suggestion: 'Send one.' }))).toEqual([]));
});
