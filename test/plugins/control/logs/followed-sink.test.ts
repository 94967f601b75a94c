import { expect, it } from 'vitest';
import { FollowedSink } from '../../../../plugins/control/logs/sinks/followed-sink.ts';
import { defineLogSink, type OpenSink } from '../../../../plugins/sdk/sink/sink.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';

it.each([
  ['nothing', undefined],
  ['a promise', Promise.resolve({ send: async () => ({ kind: 'delivered' }) })],
  ['something without "send"', {}],
])('a sink whose create returns %s is rejected when it is opened', (_, created) => {
  const sink = defineLogSink({
    id: 'test.sink',
    options: { type: 'object' },
    // A plugin that was not type-checked can return anything.
    create: () => created as unknown as OpenSink,
  });
  const services = {
    http: { send: () => Promise.reject(new Error('It is not called.')) },
    timers: createVirtualClock(),
  };
  expect(() => new FollowedSink({ sink, services, resolve: () => ({ options: {}, secrets: {} }) })).toThrow(
    '"create" must return a sink with the function "send", and must not be async.',
  );
});
