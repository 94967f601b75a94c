import { existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configs } from '../../plugins/control/commands/resources/configs.ts';
import { keys } from '../../plugins/control/commands/resources/keys.ts';
import { prompts } from '../../plugins/control/commands/resources/prompts.ts';
import { providers } from '../../plugins/control/commands/resources/providers.ts';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { readFences } from '../support/readme/read-fences.ts';
import { type GwRun, runGw } from '../support/run-gw.ts';

const admin = 'the-admin-key-of-this-test-with-40-chars';
const config = '{\n  // For people.\n  "provider": "@shop",\n  "retry": { "attempts": 2 }\n}\n';

const prompt = (content: string): object => ({
  name: 'Greet',
  string: JSON.stringify([{ role: 'user', content }]),
  parameters: {},
  virtual_key: '@poet',
  model: 'm',
});

describe('the commands of the control plane, and a gateway with a store', () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    gateway = await startGateway({
      files: {
        'greet.json': prompt('Hello {{name}}'),
        'open.json': JSON.stringify(prompt('Hello {{#name}}')),
        'ada.json': { name: 'Ada' },
        'shop.json': config,
        'wrong.json': '{\n  "provider": "@shop",\n  "retyr": { "attempts": 2 }\n}\n',
      },
      args: ['--store', 'gateway.db'],
      env: { GW_ADMIN_KEY: admin },
    });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await gateway.stop();
  });

  const gw = (line: string, key = admin): Promise<GwRun> => {
    vi.stubEnv('GW_URL', gateway.origin);
    vi.stubEnv('GW_API_KEY', key);
    vi.stubEnv('SHOP_KEY', 'sk-of-the-shop-12345');
    return runGw(gateway.folder, line.split(' '));
  };

  it('make a provider and a config, change them, and show no secret', async () => {
    expect(await gw('providers create --name Shop --slug shop --provider openai --key-env SHOP_KEY')).toMatchObject({
      code: 0,
    });
    expect(await gw('configs create shop.json --slug shop')).toEqual({
      code: 0,
      out: 'The config is saved as shop.\n',
      err: '',
    });
    expect(await gw('configs update shop shop.json --name Ours --default')).toMatchObject({ code: 0, err: '' });
    expect((await gw('configs list')).out).toMatch(/^SLUG +NAME +DEFAULT +CHANGED\nshop +Ours +yes +\d{4}-/);
    const { out } = await gw('configs versions shop --format json');
    expect(JSON.parse(out)).toMatchObject({ object: 'list', total: 2 });
    expect((await gw('configs get shop')).out).toContain('"provider": "@shop"');
    const shown = await Promise.all(
      ['providers list', 'providers get shop', 'providers get shop --format json'].map((line) => gw(line)),
    );
    for (const each of shown) {
      expect(each).toMatchObject({ code: 0, err: '' });
      expect(each.out).not.toContain('sk-of');
    }
  });

  it('tell what is wrong with a config at its line, and what a dry run finds', async () => {
    for (const line of [
      'configs create wrong.json',
      'configs update shop wrong.json',
      'configs create wrong.json --dry-run',
    ]) {
      const { code, err } = await gw(line);
      expect(err).toContain('error[unknown-key]');
      expect(err).toContain('┌─ wrong.json:3:3  /retyr');
      expect(code).toBe(1);
    }
    const { code, out, err } = await gw('configs create shop.json --dry-run');
    expect({ code, err }).toEqual({ code: 0, err: 'gw: Nothing was saved.\n' });
    expect(out).toMatch(/^leaves +1\nattempts +3\nlongest_ms +\d+\n$/);
  });

  it('tell what is in use, what is not there, and what a key may not do', async () => {
    expect(await gw('configs delete shop')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^gw: The config "shop" is the default /),
    });
    expect(await gw('configs get nothing')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^gw: There is no config "nothing"\./),
    });
    const { out: key } = await gw('keys create --name app --scopes completions.write');
    expect(await gw('configs list', key.trim())).toMatchObject({
      code: 1,
      err: expect.stringContaining('configs.list'),
    });
    expect(await gw('configs list', 'gw-wrong')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Correct GW_API_KEY'),
    });
  });

  it('make, rotate and revoke keys', async () => {
    const { out: made, err } = await gw('keys create --name app --scopes configs.list --expires 2090-01-01T00:00:00Z');
    const id = /\((\S+)\)/.exec(err)?.[1] ?? '';
    expect(await gw('configs list', made.trim())).toMatchObject({ code: 0 });
    const { out: rotated } = await gw(`keys rotate ${id} --transition 1h`);
    expect(await gw('configs list', made.trim())).toMatchObject({ code: 0 });
    expect(await gw(`keys revoke ${id}`)).toEqual({
      code: 0,
      out: `The key ${id} is revoked. Gateways refuse it within a second.\n`,
      err: '',
    });
    await expect.poll(async () => (await gw('configs list', rotated.trim())).code).toBe(1);
    expect((await gw('keys list --status revoked')).out).toContain(id);
    expect((await gw(`keys get ${id}`)).out).toMatch(/^expires_at +2090-01-01T00:00:00Z$/m);
  });

  it('store a prompt, publish its second version and render it', async () => {
    await gw('providers create --name Poet --slug poet --provider openai --key-env SHOP_KEY');
    expect(await gw('prompts create greet.json --slug greet')).toMatchObject({ code: 0, err: '' });
    expect(await gw('prompts update greet greet.json --description second')).toMatchObject({ code: 0, err: '' });
    expect((await gw('prompts versions greet')).out).toMatch(
      /^VERSION +PUBLISHED .*\n2 +no +- +\S+ +second\n1 +yes +- +\S+ +-\n$/,
    );
    expect(await gw('prompts publish greet --version 2')).toMatchObject({ code: 0, err: '' });
    expect((await gw('prompts list')).out).toMatch(/\ngreet +Greet +2 +/);
    const { out } = await gw('prompts render greet ada.json');
    expect(JSON.parse(out)).toMatchObject({ messages: [{ role: 'user', content: 'Hello Ada' }], model: 'm' });
    const { code, err } = await gw('prompts create open.json');
    expect(err).toContain('open.json:1:26  /string');
    expect(code).toBe(1);
    expect(await gw('prompts delete greet')).toMatchObject({ code: 0, err: '' });
  });

  it('ask for routes that the gateway has', async () => {
    const answer = await fetch(`${gateway.baseUrl}/openapi.json`, { headers: { 'x-gw-api-key': admin } });
    const { paths } = (await answer.json()) as { readonly paths: Readonly<Record<string, object>> };
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/v1/, '')}`),
    );
    const asked = [keys, providers, configs, prompts].flatMap(({ commands }) =>
      Object.values(commands).map(({ route }) => route),
    );
    expect(asked.filter((route) => !served.includes(route))).toEqual([]);
  });

  it('make an admin key and a backup beside the gateway that serves the store', async () => {
    const { code, out } = await gw('keys create --admin --store gateway.db');
    expect({ code, out }).toEqual({ code: 0, out: `${path.join(gateway.folder, 'gateway.db.admin-key')}\n` });
    const key = readFileSync(out.trim(), 'utf8').trim();
    await expect.poll(async () => (await gw('keys list', key)).code).toBe(0);
    expect(await gw('backup copy.db --store gateway.db')).toMatchObject({ code: 0 });
    expect(existsSync(path.join(gateway.folder, 'copy.db'))).toBe(true);
    renameSync(out.trim(), `${out.trim()}.old`);
  });

  it('do what their README shows', async () => {
    const readme = readFileSync(new URL('../../plugins/control/commands/README.md', import.meta.url), 'utf8');
    const fences = readFences(readme);
    const textOf = (wanted: string): string => fences.find(({ language }) => language === wanted)?.text ?? '';
    const own = await startGateway({
      files: { 'support.json': textOf('json') },
      args: ['--store', 'gateway.db'],
      env: { GW_ADMIN_KEY: admin },
    });
    try {
      vi.stubEnv('GW_URL', own.origin);
      vi.stubEnv('GW_API_KEY', admin);
      vi.stubEnv('OPENAI_API_KEY', 'sk-12345');
      const printed: string[] = [];
      for (const line of textOf('bash').trim().split('\n')) {
        const { out, err } = await runGw(own.folder, line.split(' ').slice(1));
        printed.push(out, err);
      }
      expect(printed.join('')).toBe(textOf('text'));
    } finally {
      await own.stop();
    }
  });
});
