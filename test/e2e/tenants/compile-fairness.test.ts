import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';

let gateway: GatewayProcess;

beforeAll(async () => {
  gateway = await startGateway({
    args: ['--store', 'gateway.db'],
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  for (const slug of ['flood', 'calm']) {
    await control(gateway, 'POST /workspaces', { body: { name: slug, slug } });
    await control(gateway, 'POST /configs', {
      body: { name: 'there', slug: 'there', config: { provider: 'echo' } },
      workspace: slug,
    });
    const checks = [{ id: 'default.wordCount', parameters: { minWords: 1 } }];
    await control(gateway, 'POST /guardrails', {
      body: { name: 'there', slug: 'there', checks, actions: {} },
      workspace: slug,
    });
  }
});

afterAll(() => gateway?.stop());

/** Values that take about 10 ms to check: there are thousands of them, and most are right. */
const wordy = Array.from({ length: 1500 }, (_, at) => ({
  id: 'default.wordCount',
  parameters: { minWords: at, maxWord: at },
}));

const wrongConfig = { provider: 'echo', before_request_hooks: [{ id: 'h', type: 'guardrail', checks: wordy }] };
const config = { name: 'new', config: wrongConfig };

/** A guardrail has few checks, so each check here is long. */
const long = Array.from({ length: 20 }, (_, check) => ({
  id: 'default.contains',
  parameters: {
    operator: 'any',
    words: Array.from({ length: 400 }, (__, at) => (at % 40 === check ? at : `word ${at}`)),
  },
}));
const guardrail = { name: 'new', checks: long, actions: {} };

describe('while one tenant keeps saving new invalid texts', () => {
  it.each([
    ['POST /configs', config],
    ['POST /configs?dry_run=true', config],
    ['PUT /configs/there', { config: wrongConfig }],
    ['PUT /configs/there?dry_run=true', { config: wrongConfig }],
    ['POST /guardrails', guardrail],
    ['PUT /guardrails/there', { checks: long }],
  ])('another tenant is answered in its turn: %s', async (request, body) => {
    const ended: string[] = [];
    const send = async (workspace: string): Promise<number> => {
      const { status } = await callControl(gateway, request, { body, workspace });
      ended.push(workspace);
      return status;
    };
    const flood = Array.from({ length: 30 }, () => send('flood'));
    await Promise.race(flood);
    expect(await send('calm')).toBe(request.includes('dry_run') ? 200 : 400);
    expect(ended.filter((workspace) => workspace === 'flood').length).toBeLessThan(20);
    await Promise.all(flood);
  });
});
