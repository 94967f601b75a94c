import { expect, it } from 'vitest';
import { endpointType } from '../../../../../plugins/control/metering/limiter/limit-facts.ts';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';

const passed = (path: string): Pick<Exchange, 'route' | 'request'> => ({
  route: { operation: 'opaque' },
  request: { method: 'POST', path, headers: [], body: { kind: 'none' } },
});

it.each([
  ['/chat/completions/more', 'chat'],
  ['//chat', 'chat'],
  ['/CHAT/completions', 'chat'],
  ['/chat%2Fcompletions', 'chat'],
  ['/%2fchat/completions', 'chat'],
  ['/chat;v=1/completions', 'chat'],
  ['/chat%5ccompletions', 'chat'],
  ['/chat?to=/images', 'chat'],
  ['/?chat', ''],
])('the passed-through path %s has the endpoint type %j', (path, kind) => {
  expect(endpointType(passed(path))).toBe(kind);
});
