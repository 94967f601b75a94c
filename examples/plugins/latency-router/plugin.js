import { definePlugin } from 'gatewright/sdk';
import { Latencies } from './latencies.js';

const name = 'gatewright-plugin-latency-router';

/** Nothing was sent, so nothing is retried: the fallback goes on to its next target. */
const skipped = {
  status: 503,
  headers: ['content-type', 'application/json'],
  origin: 'limit',
  body: {
    kind: 'bytes',
    bytes: Buffer.from(
      JSON.stringify({ error: { message: 'This target is slow at the moment.', type: 'gateway_error' } }),
    ),
  },
};

/** The router, with a clock that tests can set. */
export const latencyRouter = (now = () => performance.now()) =>
  definePlugin({
    name,
    options: {
      type: 'object',
      properties: {
        factor: {
          type: 'number',
          minimum: 1,
          default: 3,
          description: 'How many times as slow as the fastest is too slow.',
        },
        fresh_ms: { type: 'integer', minimum: 1, default: 10_000, description: 'For how long a latency is believed.' },
      },
    },
    apply(hooks, { factor, fresh_ms: freshMs }) {
      const latencies = new Latencies();
      const leaves = new WeakMap();
      const began = new WeakMap();
      hooks.admit.tap(name, ({ path }, exchange) => {
        if (latencies.isSlow(path, { factor, freshMs, now: now() })) return skipped;
        leaves.set(exchange, path);
        return undefined;
      });
      hooks.providerRequest.tap(name, (request, _exchange, scope) => {
        began.set(scope, now());
        return request;
      });
      hooks.providerResponse.tap(name, (answer, exchange, scope) => {
        const [path, start] = [leaves.get(exchange), began.get(scope)];
        if (path === undefined || start === undefined) return answer;
        if (answer.kind === 'answer' && answer.status < 500) latencies.note(path, now() - start, now());
        else latencies.forget(path);
        return answer;
      });
    },
  });

/** Skips the targets of a fallback that answer much later than the fastest of them. */
export default latencyRouter();
