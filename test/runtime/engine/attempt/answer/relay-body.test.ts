import { describe, expect, it } from 'vitest';
import type { Sink } from '../../../../../plugins/sdk/http/http.ts';
import { createCancellation } from '../../../../../plugins/testkit/route/cancellation.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { StubBody } from '../../../../support/in-process/stub-upstreams.ts';

const config = {
  provider: 'openai',
  api_key: '${env:KEY}',
  cb_config: { failure_threshold: 1, cooldown_interval: 60_000 },
};
const lost = errorReport('connection-lost', { host: 'api.openai.com', reason: 'it was closed.' });
const quiet: Sink = { write: () => true, onDrain: () => {}, end: () => {}, fail: () => {} };

/** A relayed answer that continues until `fail` is called or, like that of a connection, until it is cancelled. */
const relayed = async () => {
  const { cancellation, cancel } = createCancellation();
  let fail = (): void => {};
  const { handle } = runConfig(config, {
    upstream: (_request, scope) => {
      const body = new StubBody('');
      body.start = (sink) => {
        fail = () => sink.fail(lost);
      };
      scope.cancellation.onCancel(() => fail());
      return { kind: 'answer', status: 200, headers: [], body };
    },
  });
  const exchange = sampleExchange({}, { cancellation, route: { operation: 'opaque' } });
  const { body } = await handle(exchange);
  if (body.kind !== 'stream') throw new Error('What is passed through is a stream.');
  const ends: string[] = [];
  body.onEnd((end) => ends.push(end));
  body.start(quiet);
  return { exchange, ends, cancel, fail: () => fail() };
};

describe('an answer that is passed through', () => {
  it('is a failure of its provider if it breaks off', async () => {
    const { exchange, ends, fail } = await relayed();
    fail();
    expect(ends).toEqual(['failed']);
    expect(exchange.trail.at(-1)).toMatchObject({ kind: 'circuitChanged', to: 'open' });
  });

  it('is not a failure if its client disconnects, although the transfer is aborted', async () => {
    const { exchange, ends, cancel } = await relayed();
    cancel();
    expect(ends).toEqual(['left']);
    expect(exchange.trail.filter(({ kind }) => kind === 'circuitChanged')).toEqual([]);
  });
});
