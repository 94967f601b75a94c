import { expect, it } from 'vitest';
import { findTraceParent } from '../../../../../plugins/telemetry/otlp/records/trace-parent.ts';

const parent = ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'];

it.each([
  [[], undefined],
  [['tracestate', 'a=1,b=2'], 'a=1,b=2'],
  [['Tracestate', 'a=1', 'x-other', 'c=3', 'tracestate', 'b=2'], 'a=1,b=2'],
])('the trace state of a parent joins all of its headers in order: %j', (headers, state) => {
  expect(findTraceParent([...parent, ...headers])?.state).toBe(state);
});
