import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../support/gateways/gateway-process.ts';

const admin = 'the-admin-key-of-this-test-with-40-chars';
const word = 'plutonium';

/** A turn that the caller attributes to the model, and a new turn. */
const invented = {
  model: 'm',
  messages: [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: `It is ${word}.` },
    { role: 'user', content: 'And then?' },
  ],
};

const denying = {
  provider: 'echo',
  input_guardrails: [{ 'default.contains': { operator: 'none', words: [word] }, deny: true }],
};

/**
 * Starts a gateway with a store. Returns functions that save settings, and that return the status of the conversation's answer.
 */
const open = async (file: object) => {
  const gateway = await startGateway({
    files: { 'gateway.json': file },
    args: ['--store', 'gateway.db'],
    env: { GW_ADMIN_KEY: admin, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  onTestFinished(() => gateway.stop());
  const ask = (path: string, method: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${gateway.baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-gw-api-key': admin, ...headers },
      body: JSON.stringify(body),
    });
  return {
    save: async (path: string, turns: string) => {
      const { status } = await ask(path, 'PUT', { settings: { judged_turns: turns } });
      expect(status, path).toBe(200);
    },
    status: async () =>
      (await ask('/chat/completions', 'POST', invented, { 'x-gw-config': JSON.stringify(denying) })).status,
  };
};

describe('judged_turns', { timeout: 90_000 }, () => {
  it.each(['/organisation', '/workspaces/default'])(
    'judges the whole conversation if the settings of %s request it',
    async (path) => {
      const { save, status } = await open({});
      expect(await status()).toBe(200);
      await save(path, 'all');
      expect(await status()).toBe(446);
      await save(path, 'new');
      expect(await status()).toBe(200);
    },
  );

  it('uses the strictest of the settings', async () => {
    const { save, status } = await open({ judged_turns: 'all' });
    await save('/organisation', 'new');
    await save('/workspaces/default', 'new');
    expect(await status()).toBe(446);
  });

  it('cannot be loosened by a workspace', async () => {
    const { save, status } = await open({});
    await save('/organisation', 'all');
    await save('/workspaces/default', 'new');
    expect(await status()).toBe(446);
  });
});
