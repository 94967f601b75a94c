import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { changingFolder } from '../../support/gateways/changing-folder.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';

const key = `sk-ant-api03-${'Ab3dEf6hIj9'.repeat(9).slice(0, 95)}`;
const code = 'credential-in-parameters';

/** A config for each place in which a plan would contain the value. */
const places: { readonly [place: string]: (value: unknown) => object } = {
  'an override': (value) => ({ provider: 'echo', override_params: { user: value } }),
  'a list deep in an override': (value) => ({
    provider: 'echo',
    override_params: { metadata: { a: [1, { b: value }] } },
  }),
  'the scheme of a header': (value) => ({ provider: 'echo', override_params: { extra: `Bearer ${value}` } }),
  'an override that expects a number': (value) => ({ provider: 'echo', override_params: { temperature: value } }),
  'the model': (value) => ({ provider: 'openai', api_key: '${env:KEY}', override_params: { model: value } }),
  'the override of a target': (value) => ({
    strategy: { mode: 'fallback' },
    targets: [{ provider: 'echo' }, { provider: 'echo', override_params: { user: value } }],
  }),
  'a parameter of a check': (value) => ({
    provider: 'echo',
    input_guardrails: [{ 'default.contains': { words: ['a', value], operator: 'none' }, deny: true }],
  }),
  'a parameter of a check of a hook': (value) => ({
    provider: 'echo',
    after_request_hooks: [
      { type: 'guardrail', id: 'end', checks: [{ id: 'default.endsWith', parameters: { suffix: value } }] },
    ],
  }),
};

const everything = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'a.json')
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

describe.each(Object.entries(places))('a credential in %s', (_, config) => {
  it('is an error in gw check, gw compile and gw explain, none of which prints it', async () => {
    // In one line, and in several lines.
    for (const text of [JSON.stringify(config(key)), JSON.stringify(config(key), undefined, 2)]) {
      const folder = temporaryFolder({ 'a.json': text });
      for (const argv of [
        ['check', 'a.json'],
        ['check', 'a.json', '--format', 'json'],
        ['compile', 'a.json', '--out', 'out'],
        ['explain', 'a.json'],
      ]) {
        const { code: exit, out, err } = await runGw(folder, argv);
        expect(exit, argv.join(' ')).toBe(1);
        expect(out + err).toContain(code);
        expect(out + err).not.toContain(key.slice(0, 20));
        expect(out + err).not.toContain(key.slice(-20));
      }
      expect(everything(folder)).not.toContain(key);
    }
  });

  it('is not reported if it only looks like a credential', async () => {
    const folder = temporaryFolder({ 'a.json': JSON.stringify(config('sk-ant-api03-short')) });
    expect((await runGw(folder, ['check', 'a.json'])).out).not.toContain(code);
  });

  it('is not printed from a malformed file either', async () => {
    const text = JSON.stringify(config(key), undefined, 2);
    const folder = temporaryFolder({
      'a.json': text.replace(/,\n/, '\n').replace(/\}$/, ''),
      'b.json': `${text} x: ${key}`,
    });
    for (const file of ['a.json', 'b.json']) {
      const { code: exit, out, err } = await runGw(folder, ['check', file]);
      expect(exit).toBe(1);
      expect(out + err).not.toContain(key.slice(0, 20));
    }
  });
});

describe('gw serve', () => {
  const bad = { provider: 'echo', override_params: { user: key } };

  it('does not start with a credential in a config, and does not print it', async () => {
    const started = startGateway({
      files: { 'gateway.json': { configs: 'configs' }, 'configs/a.json': bad },
    });
    await expect(started).rejects.toThrow(code);
    await expect(started).rejects.not.toThrow(key);
  });

  it('does not start with a credential in a guardrail of its gateway file', async () => {
    const guardrails = { words: { 'default.contains': { words: [key], operator: 'none' }, deny: true } };
    const started = startGateway({ files: { 'gateway.json': { guardrails } } });
    await expect(started).rejects.toThrow(code);
    await expect(started).rejects.not.toThrow(key);
  });

  it('keeps the last good plan when a file gets a credential', patience, async (context) => {
    const folder = changingFolder(context, {
      'gateway.json': { configs: 'configs', default_config: 'main' },
      'configs/main.json': { provider: 'echo', override_params: { user: 'a' } },
    });
    await folder.serve();
    const before = await folder.label();
    folder.write({ 'configs/main.json': bad });
    await expect.poll(() => folder.count(code), patience).toBeGreaterThan(0);
    expect(await folder.label()).toBe(before);
    expect(folder.gateway.printed()).not.toContain(key);
    expect(JSON.stringify(await folder.ready())).not.toContain(key);
    folder.write({ 'configs/main.json': { provider: 'echo', override_params: { user: 'b' } } });
    await expect.poll(() => folder.label(), patience).not.toBe(before);
  });

  it('rejects credentials through the API, and keeps the saved record', async () => {
    const gateway = await serveStore();
    await control(gateway, 'POST /configs', { body: { name: 'a', slug: 'a', config: { provider: 'echo' } } });
    for (const [place, config] of Object.entries(places))
      for (const [route, more] of [
        ['POST /configs', { name: 'b', slug: 'b' }],
        ['PUT /configs/a', {}],
      ] as const) {
        const { status, text } = await callControl(gateway, route, { body: { ...more, config: config(key) } });
        expect(status, `${route} ${place}: ${text}`).toBe(400);
        expect(text).toContain('looks like a credential (Anthropic)');
        expect(text).not.toContain(key);
      }
    const checks = [{ id: 'default.contains', parameters: { words: [key], operator: 'none' } }];
    const refused = await callControl(gateway, 'POST /guardrails', {
      body: { name: 'g', checks, actions: { deny: true } },
    });
    expect(refused.status, refused.text).toBe(400);
    expect(refused.text).toContain('looks like a credential');
    expect(refused.text).not.toContain(key);
    vi.stubEnv('GW_URL', gateway.origin);
    vi.stubEnv('GW_API_KEY', adminKey);
    const folder = temporaryFolder({ 'a.json': JSON.stringify(places['an override']?.(key), undefined, 2) });
    const { code: exit, out, err } = await runGw(folder, ['configs', 'update', 'a', 'a.json']);
    vi.unstubAllEnvs();
    expect(exit).toBe(1);
    expect(out + err).toContain(code);
    expect(out + err + gateway.printed() + everything(gateway.folder)).not.toContain(key);
    expect((await callControl(gateway, 'GET /configs/a', {})).text).toContain('"provider":"echo"');
  });

  it('accepts them in the config of a request, which is not stored', async () => {
    const gateway = await startGateway();
    try {
      for (const [place, config] of Object.entries(places)) {
        if (place === 'an override that expects a number' || place === 'the model') continue;
        const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config(key)) },
          body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
        });
        expect(answer.status, `${place}: ${await answer.text()}`).toBeOneOf([200, 246, 446]);
      }
    } finally {
      await gateway.stop();
    }
  });
});
