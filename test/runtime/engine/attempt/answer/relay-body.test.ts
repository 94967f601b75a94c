import { describe, expect, it } from 'vitest';
import { CancellationSource } from '../../../../../runtime/async/cancellation-source.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { StubBody } from '../../../../support/in-process/stub-upstreams.ts';
import { recordingSink } from '../../../streams/kit.ts';

const config = {
  provider: 'openai',
  api_key: '${env:KEY}',
  cb_config: { failure_threshold: 1, cooldown_interval: 60_000 },
};
const lost = errorReport('connection-lost', { host: 'api.openai.com', reason: 'it was closed.' });

/** A relayed answer that continues until `fail` is called or, like that of a connection, until it is cancelled. */
const relayed = async () => {
  const cancellation = new CancellationSource();
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
  const sink = recordingSink();
  body.start(sink);
  return { exchange, ends, sink, cancellation, fail: () => fail() };
};

describe('an answer that is passed through', () => {
  it('is a failure of its provider if it breaks off', async () => {
    const { exchange, ends, sink, fail } = await relayed();
    fail();
    expect([ends, sink.error]).toEqual([['failed'], lost]);
    expect(exchange.trail.at(-1)).toMatchObject({ kind: 'circuitChanged', to: 'open' });
  });

  it('is not a failure if its client disconnects, although the transfer is aborted', async () => {
    const { exchange, ends, cancellation } = await relayed();
    cancellation.cancel();
    expect(ends).toEqual(['left']);
    expect(exchange.trail.filter(({ kind }) => kind === 'circuitChanged')).toEqual([]);
  });

  it('fails with the deadline of its request if that passes', async () => {
    const { ends, sink, cancellation } = await relayed();
    const late = errorReport('deadline-exceeded', { ms: 50 });
    cancellation.cancel(late);
    expect([ends, sink.error]).toEqual([['failed'], late]);
  });
});
