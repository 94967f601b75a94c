import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError } from '../../support/vendors/openai-wire.ts';

const old = 'sk-old-key-000000001';
const next = 'sk-new-key-000000002';
const limited = 'sk-limited-key-000003';
const steady = 'sk-steady-key-0000004';

let gateway: GatewayProcess;
let upstream: TestUpstream;
let used: string[] = [];
/** Keys that the provider no longer accepts. */
let revoked: ReadonlySet<string> = new Set();
const folder = temporaryFolder({}, afterAll);

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    const key = (call.request.header('authorization') ?? '').replace('Bearer ', '');
    used.push(key);
    const error = openaiError('No.', 'requests', 'rate_limit_exceeded');
    if (key === limited) call.json(error, { status: 429, headers: { 'retry-after': '3600' } });
    else if (revoked.has(key)) call.json(error, { status: 401 });
    else call.json(openaiAnswer({ text: 'Yes.' }));
  });
  const files = ['limited', 'rotated', 'steady'];
  gateway = await startGateway({
    folder,
    files: {
      'gateway.json': { configs: 'configs', default_config: 'pool', trusted_hosts: ['127.0.0.1'] },
      'configs/pool.json': {
        provider: 'openai',
        custom_host: `${upstream.origin}/v1`,
        keys: files.map((name) => ({ api_key: `\${file:${path.join(folder, name)}}` })),
      },
      ...{ limited, rotated: old, steady },
    },
  });
});
beforeEach(() => {
  used = [];
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const ask = async (): Promise<string | null | undefined> => {
  const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'none', maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'Is it so?' }];
  return (await client.chat.completions.create({ model: 'gpt-4o', messages })).choices[0]?.message.content;
};

const replaceKey = (name: string, key: string): void => {
  writeFileSync(path.join(folder, `${name}.next`), key);
  renameSync(path.join(folder, `${name}.next`), path.join(folder, name));
  gateway.signal('SIGHUP');
};

describe('a pool whose keys are in files', () => {
  it('leaves out a limited key', async () => {
    for (let at = 0; at < 30; at += 1) expect(await ask()).toBe('Yes.');
    expect(used.filter((key) => key === limited)).toHaveLength(1);
    expect(new Set(used)).toEqual(new Set([limited, old, steady]));
  });

  it('uses a new key in place of the old one, without a failed request, and still leaves out the limited one', async () => {
    const answers: unknown[] = [];
    let isOver = false;
    const others = Array.from({ length: 4 }, async () => {
      while (!isOver) answers.push(await ask().catch(String));
    });
    replaceKey('rotated', next);
    await expect.poll(() => used).toContain(next);
    // From now on, no request uses the old key, so its provider may refuse it.
    revoked = new Set([old]);
    used = [];
    await expect.poll(() => used.length).toBeGreaterThan(40);
    isOver = true;
    await Promise.all(others);
    expect(new Set(used)).toEqual(new Set([next, steady]));
    expect(new Set(answers)).toEqual(new Set(['Yes.']));
  });

  it('tries a new key immediately in place of one that was left out', async () => {
    replaceKey('limited', 'sk-another-key-0000005');
    const usedNext = async (): Promise<readonly string[]> => {
      expect(await ask()).toBe('Yes.');
      return used;
    };
    await expect.poll(usedNext).toContain('sk-another-key-0000005');
    expect(used).not.toContain(limited);
  });
});
