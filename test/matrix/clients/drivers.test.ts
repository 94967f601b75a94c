import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import type { Heard } from '../scenario.ts';
import { scenarios } from '../scenarios.ts';
import { clientDrivers } from './client-drivers.ts';
import {
  expectedHeard,
  expectedReceived,
  expectedWaits,
  lastStep,
  toScript,
  withCounts,
  withoutRefusal,
} from './expected.ts';
import { findInability } from './find-inability.ts';
import { toUpstream } from './to-upstream.ts';

let upstream: TestUpstream;
beforeAll(async () => {
  // Otherwise Vercel's library prints warnings about the requests.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  upstream = await startUpstream();
});
afterAll(() => upstream.close());

describe.each(clientDrivers)('$library with a provider that speaks $dialect', (driver) => {
  const { dialect, model } = driver;
  // Retries of libraries take time, and are tested through the gateway.
  const asked = scenarios.filter(
    ({ id, refused }) => findInability(driver, { scenario: id, stream: false }) === undefined && refused === undefined,
  );
  const cases = asked.flatMap((scenario) => [false, true].map((stream) => ({ id: scenario.id, stream, scenario })));

  it.each(cases)('sends and receives the scenario $id, stream: $stream', async ({ scenario, stream }) => {
    const { hear, answer, proves, counts } = toUpstream(dialect);
    let heard: Heard | undefined;
    let isProven = false;
    const script = [...toScript(scenario)];
    upstream.handle((call) => {
      if (heard === undefined) isProven = proves(call.request);
      heard = hear(call.request);
      const next = script.shift();
      if (next === undefined) throw new Error('It was asked too often.');
      answer(call, next, heard.stream);
    });
    const options = { origin: upstream.origin, headers: { 'x-gw-trace-id': 'a' }, stream, retries: 0 };
    const received = await driver.ask(scenario, options);
    const step = lastStep(scenario, stream, isProven);
    const said = withCounts(dialect === 'cohere' ? withoutRefusal(step.answer) : step.answer, counts);
    expect(heard).toEqual({ model, ...expectedHeard(step, driver) });
    expect(received).toEqual({
      dropped: [],
      waits: expectedWaits(scenario, false),
      ...expectedReceived(said, received, driver),
    });
    expect(upstream.requests.at(-1)?.header('x-gw-trace-id')).toBe('a');
  });
});
