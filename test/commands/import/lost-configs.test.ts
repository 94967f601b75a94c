import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const targets = [
  { provider: 'openai', api_key: 'sk-a' },
  { provider: 'anthropic', api_key: 'sk-b' },
];
/** A config with a misspelt mode. Its other settings remain if the mode is left out. */
const misspelt = { strategy: { mode: 'loadbalence' }, cache: { mode: 'simple' }, retry: { attempts: 3 }, targets };
const whole = { strategy: { mode: 'fallback' }, targets };

const importing = (files: Readonly<Record<string, object>>, ...more: readonly string[]) =>
  runGw(temporaryFolder(files), ['import', 'portkey', ...Object.keys(files), ...more]);

describe('gw import for a config that loses all its targets', () => {
  it('creates no config, and refers to the notes', async () => {
    const { code, out, err } = await importing({ 'chat.json': misspelt }, '--out', 'made');
    expect({ code, err }).toEqual({
      code: 1,
      err: 'gw: Nothing in chat.json could be imported. Correct what the notes say, and import it again.\n',
    });
    expect(out.match(/^chat\.json:.*$/gm)).toEqual([
      expect.stringContaining('"mode" cannot be "loadbalence". (config.strategy.mode) Did you mean "loadbalance"?'),
    ]);
  });

  it.each([
    [{ virtual_kye: 'openai-prod', retry: { attempts: 3 } }, 'Did you mean "virtual_key"?'],
    [{ provder: 'openai', cache: { mode: 'simple' } }, 'Did you mean "provider"?'],
    [{ target: targets, retry: { attempts: 3 } }, 'Did you mean "targets"?'],
  ])('creates no config if the provider is misspelt: %j', async (source, asked) => {
    const { code, out, err } = await importing({ 'chat.json': source, 'other.json': whole });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('A config is left out: "chat".') });
    expect(out).toContain(asked);
    expect(out).not.toContain('configs/chat.json');
  });

  it.each([
    [{ virtual_kye: 'a' }, 1],
    [{ virtual_kye: 'a', weight: 1 }, 1],
    [{ virtual_kye: 'a', overide_params: { model: 'm' } }, 1],
    [{ strategy: { mode: 'fallback' }, targets: [{ virtual_kye: 'a' }, { virtual_kye: 'b' }] }, 2],
    [{ ...targets[0], overide_params: { model: 'm' } }, 0],
  ])('counts the targets that are left out of one with several: %j', async (target, count) => {
    const { code, out } = await importing({ 'chat.json': { ...whole, targets: [target, ...targets] } });
    expect(code).toBe(0);
    const [counted = '0'] = /\d+(?= targets? left out)/.exec(out) ?? [];
    expect(Number(counted)).toBe(count);
  });

  it.each([
    [{ ...misspelt, strategy: { mode: 'fallbak', on_status_codes: [429] } }, '/strategy/mode'],
    [{ ...misspelt, strategy: { mod: 'fallback', on_status_codes: [429] } }, '/strategy/mod'],
    [
      {
        strategy: { mode: 'conditional', conditions: [{ query: { 'metadata.a': 'b' }, thn: 'a' }], default: 'a' },
        targets: [{ name: 'a', ...targets[0] }],
      },
      '/strategy/conditions/0/thn',
    ],
  ])('reports a mistake once, without its consequences: %j', async (source, place) => {
    const { out } = await importing({ 'chat.json': source }, '--format', 'json');
    expect(JSON.parse(out).losses).toEqual([expect.objectContaining({ place })]);
  });

  it('counts Bifrost providers without a local counterpart', async () => {
    const keys = [{ value: 'env.KEY', models: ['m'] }];
    const cwd = temporaryFolder({ 'bifrost.json': { providers: { openai: { keys }, 'acme-llm': { keys } } } });
    const { code, out, err } = await runGw(cwd, ['import', 'bifrost', 'bifrost.json']);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('A config is left out: "acme-llm".') });
    expect(out).toContain('There is no provider "acme-llm".');
    expect(out).toContain('2 configs, 1 of 3 configs left out,');
  });

  it('counts a Bifrost virtual key if none of its providers was imported', async () => {
    const keys = [{ value: 'env.KEY' }];
    const virtual_keys = [
      { name: 'lost', provider_configs: [{ provider: 'absent' }] },
      { name: 'half', provider_configs: [{ provider: 'absent' }, { provider: 'openai' }] },
      { name: 'all' },
    ];
    const cwd = temporaryFolder({ 'b.json': { providers: { openai: { keys } }, governance: { virtual_keys } } });
    const { code, out, err } = await runGw(cwd, ['import', 'bifrost', 'b.json']);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('A config is left out: "lost".') });
    expect(out).toContain('"absent" is not a provider that was imported from this file.');
    expect(out).toContain('2 configs, 1 of 3 configs and 2 targets left out,');
  });

  it('counts a list of Portkey configs next to a config', async () => {
    const { code, err } = await importing({ 'list.json': { data: [{ id: 'a' }] }, 'other.json': whole });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('A config is left out: "list".') });
  });

  it('reports the same mistake in two files once for each', async () => {
    const { out } = await importing({ 'chat.json': misspelt, 'other.json': misspelt }, '--format', 'json');
    expect(JSON.parse(out).losses).toEqual([
      expect.objectContaining({ file: 'chat.json', place: '/strategy/mode' }),
      expect.objectContaining({ file: 'other.json', place: '/strategy/mode' }),
    ]);
  });

  it('names settings as they are written in the file', async () => {
    const source = { requestTimeout: '20s', targets: [{ ...targets[0], requestTimeout: -1 }], virtualKye: 'a' };
    const { out } = await importing({ 'chat.json': source }, '--format', 'json');
    expect(JSON.parse(out).losses).toEqual([
      expect.objectContaining({
        place: '/requestTimeout',
        why: '"requestTimeout" must be a whole number, not a string. (config.requestTimeout)',
      }),
      expect.objectContaining({
        place: '/targets/0/requestTimeout',
        why: expect.stringMatching(/^"requestTimeout" must .* \(config\.targets\[0\]\.requestTimeout\)$/),
      }),
      expect.objectContaining({
        place: '/virtualKye',
        why: '"virtualKye" is not a setting here. (config.virtualKye)',
      }),
    ]);
  });

  it('names the lost config if another one is imported, and exits with 1', async () => {
    const { code, out, err } = await importing({ 'chat.json': misspelt, 'other.json': whole });
    expect({ code, err }).toEqual({
      code: 1,
      err: 'gw: A config is left out: "chat". Correct what the notes say, and import the file again into another folder.\n',
    });
    expect(out).toContain('1 config, 1 of 2 configs left out,');
    expect(out).not.toContain('configs/chat.json');
  });

  it('saves and reports nothing that only the lost config refers to', async () => {
    const saved = (name: string) => ({ virtual_key: name, override_params: { model: 'm' } });
    const lost = { strategy: { mode: 'falback' }, targets: [saved('openai-prod'), saved('groq-both')] };
    const kept = { strategy: { mode: 'fallback' }, targets: [saved('groq-both'), { provider: '@anthropic-prod' }] };
    const { code, out } = await importing({ 'chat.json': lost, 'other.json': kept }, '--format', 'json');
    expect(code).toBe(1);
    const { files, losses, variables } = JSON.parse(out);
    expect(Object.keys(files)).toEqual(['gateway.json', 'configs/other.json', '.env.example']);
    const { providers, virtual_keys } = JSON.parse(files['gateway.json']);
    expect([Object.keys(virtual_keys), Object.keys(providers)]).toEqual([['groq-both'], ['anthropic-prod']]);
    expect(variables).toEqual(['GROQ_BOTH_API_KEY', 'ANTHROPIC_PROD_API_KEY']);
    expect(files['.env.example']).not.toContain('OPENAI');
    expect(losses.filter(({ why }: { why: string }) => why.includes('is saved in the other gateway'))).toHaveLength(2);
  });

  it('does not count a config that never had targets', async () => {
    const { code, out } = await importing({ 'base.json': { strategy: { mode: 'single' }, cache: { mode: 'simple' } } });
    expect(code).not.toBe(1);
    expect(out).not.toContain('left out');
  });

  it('advises to correct a misspelt setting in the file', async () => {
    const target = { ...targets[1], overide_params: { model: 'claude-sonnet-5' } };
    const { code, out } = await importing({ 'chat.json': { ...whole, targets: [targets[0], target] } });
    expect(code).toBe(0);
    expect(out).toContain(
      '1 note above on what does not carry over. If a note asks what was meant, correct the file, and import it again into another folder.',
    );
  });
});
