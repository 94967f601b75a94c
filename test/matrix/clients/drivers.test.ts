import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUpstream, type TestUpstream } from '../../support/upstream-server.ts';
import type { Heard } from '../scenario.ts';
import { scenarios } from '../scenarios.ts';
import { clientDrivers } from './client-drivers.ts';
import { expectedHeard, expectedTold, lastStep, withCounts, withoutRefusal } from './expected.ts';
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
    const { hear, answer, proves, counts } = upstreamOf(dialect);
    let heard: Heard | undefined;
    let isProven = false;
    upstream.handle((call) => {
      const isNext = heard !== undefined;
      if (!isNext) isProven = proves(call.request);
      heard = hear(call.request);
      answer(call, isNext && scenario.next !== undefined ? scenario.next.answer : scenario.answer, heard.stream);
    });
    const told = await driver.ask(scenario, { origin: upstream.origin, headers: { 'x-gw-trace-id': 'a' }, stream });
    const step = lastStep(scenario, stream, isProven);
    const said = withCounts(dialect === 'cohere' ? withoutRefusal(step.answer) : step.answer, counts);
    expect(heard).toEqual({ model, ...expectedHeard(step, driver) });
    expect(told).toEqual({ dropped: [], ...expectedTold(said, told, driver) });
    expect(upstream.requests.at(-1)?.header('x-gw-trace-id')).toBe('a');
  });
});
