import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../support/upstream-server.ts';
import { askCell } from './cells/ask-cell.ts';
import { isAskedBy } from './cells/declared-losses.ts';
import type { ClientDriver } from './clients/client-driver.ts';
import { clientDrivers } from './clients/client-drivers.ts';
import { type Family, families } from './families.ts';
import { scenarios } from './scenarios.ts';

/** The families that most others are like, and one that follows OpenAI with answers of its own form. */
const asked = families.filter(({ id }) =>
  ['openai', 'openai, responses', 'anthropic', 'google', 'bedrock', 'mistral-ai'].includes(id),
);

/** A library that is not meant for a family's vendor, and sends what the vendor refuses: `max_tokens`. */
const isForeign = (family: Family, { library }: ClientDriver): boolean =>
  family.id === 'openai' && library === 'ai, @ai-sdk/openai-compatible';

/** It asks only OpenAI's own models to reason, which it knows by their names. */
const asksToReason = (family: Family, { library }: ClientDriver): boolean =>
  family.id !== 'mistral-ai' || library !== '@langchain/openai';

let gateway: GatewayProcess;
beforeAll(async () => {
  // Vercel's library would print what it thinks of the requests.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

describe.each(asked)('$id', (family) => {
  let server: TestUpstream;
  beforeAll(async () => {
    server = await startUpstream();
  });
  afterAll(() => server.close());

  const clients = clientDrivers.filter((client) => isAskedBy(family, client.dialect) && !isForeign(family, client));
  describe.each(clients)('answers $library', (client) => {
    const reasons = (isAsked: true | undefined): boolean => isAsked === undefined || asksToReason(family, client);
    const names = ['text', 'tools', 'parallel tools', 'next turn', 'schema', 'reasoning', 'error', 'usage'];
    const cases = scenarios
      .filter(({ id, ask }) => names.includes(id) && client.cannot?.[id] === undefined && reasons(ask.reasoning))
      .flatMap((scenario) => [false, true].map((stream) => ({ id: scenario.id, scenario, stream })));

    it.each(cases)('$id, stream: $stream', async ({ scenario, stream }) => {
      const { faults, told } = await askCell({ origin: gateway.origin, client, family, server, scenario, stream });
      expect(faults, told).toEqual([]);
    });
  });
});
