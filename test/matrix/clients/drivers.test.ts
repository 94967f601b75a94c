import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUpstream, type TestUpstream } from '../../support/upstream-server.ts';
import { type Heard, scenarios } from '../scenario.ts';
import { clientDrivers } from './client-drivers.ts';
import { expectedHeard, expectedTold, withoutRefusal } from './expected.ts';
import { upstreamOf } from './upstream-of.ts';

let upstream: TestUpstream;
beforeAll(async () => {
  // Vercel's library would print what it thinks of the requests.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  upstream = await startUpstream();
});
afterAll(() => upstream.close());

describe.each(clientDrivers)('$library asks a provider of $dialect', (driver) => {
  const { dialect, model, cannot = {} } = driver;
  const asked = scenarios.filter(({ id }) => cannot[id] === undefined);
  const cases = asked.flatMap((scenario) => [false, true].map((stream) => ({ id: scenario.id, stream, scenario })));

  it.each(cases)('$id, stream: $stream', async ({ scenario, stream }) => {
    const { hear, answer } = upstreamOf(dialect);
    const said = dialect === 'cohere' ? withoutRefusal(scenario.answer) : scenario.answer;
    let heard: Heard | undefined;
    upstream.handle((call) => {
      heard = hear(call.request);
      answer(call, scenario.answer, heard.stream);
    });
    const told = await driver.ask(scenario, { origin: upstream.origin, headers: { 'x-gw-trace-id': 'a' }, stream });
    expect(heard).toEqual({ model, ...expectedHeard(scenario.ask, stream, driver) });
    expect(told).toEqual({ dropped: [], ...expectedTold(said, told, driver) });
    expect(upstream.requests.at(-1)?.header('x-gw-trace-id')).toBe('a');
  });
});
