import { expect, it } from 'vitest';
import { defaultBounds } from '../../../../plugins/control/logs/sinks/run-sinks.ts';
import { Delivery } from '../../../../plugins/sdk/delivery/delivery.ts';
import { toSent } from '../../../../plugins/sdk/delivery/to-sent.ts';
import type { UpstreamFailure } from '../../../../plugins/sdk/http/http.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { Deadlines } from '../../../../runtime/async/deadlines.ts';
import { sinkHttp } from '../../../../runtime/engine/guardrail-checks/sink-http.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { createStubUpstreams, StubBody } from '../../../support/in-process/stub-upstreams.ts';

it('counts records as delivered if the answer of the receiver begins but never ends', async () => {
  const clock = createVirtualClock();
  const upstreams = createStubUpstreams((_request, scope) => {
    const body = new StubBody('');
    body.collect = () =>
      new Promise<UpstreamFailure>((resolve) => {
        scope.cancellation.onCancel(() => resolve({ kind: 'failure', error: errorReport('internal-error', {}) }));
      });
    return { kind: 'answer', status: 200, headers: [], body };
  });
  const http = sinkHttp({ upstreams, deadlines: new Deadlines(clock), sendMs: defaultBounds.sendMs });
  const delivery = new Delivery<string>({
    ...{ bounds: defaultBounds, clock, random: () => 0, say: () => {} },
    send: async (_batch, cancellation) =>
      toSent(await http.send({ url: 'https://logs.test/', cancellation }), { now: 0 }),
  });
  delivery.add('a record', { tenant: '', bytes: 10 });
  await clock.settle(delivery.close(2 * defaultBounds.sendMs));
  expect(delivery.counts()).toMatchObject({ delivered: 1, retries: 0 });
  expect(upstreams.requests).toHaveLength(1);
});
