import { describe, expect, it } from 'vitest';
import { codesOf, compiled, planOf, targetsOf } from '../../support/compiled.ts';

const openai = { provider: 'openai', api_key: '${env:OPENAI_API_KEY}' };
const fallback = (...targets: readonly object[]) => ({ strategy: { mode: 'fallback' }, targets: targets as never });

describe('the ids of targets', () => {
  it('are their names where no other target has them, else provider and place', () => {
    const targets = [{ ...openai, name: 'a' }, { ...openai, name: 'b' }, { ...openai, name: 'b' }, openai];
    const ids = targetsOf(fallback(...targets)).map(({ id }) => id);
    expect(ids).toEqual(['a', 'openai#targets.1', 'openai#targets.2', 'openai#targets.3']);
  });

  it('stay apart from names that look like places', () => {
    const ids = targetsOf(fallback(openai, { ...openai, name: 'openai#targets.0' })).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it('are those of the targets that can be reached only', () => {
    const config = {
      strategy: { mode: 'loadbalance' },
      targets: [
        { ...openai, name: 'never', weight: 0 },
        { ...openai, name: 'always' },
      ],
    };
    expect(targetsOf(config).map(({ id }) => id)).toEqual(['always']);
  });
});

describe('credentials', () => {
  it('of files are references', () => {
    expect(targetsOf(openai)[0]?.credential).toEqual({
      kind: 'fields',
      fields: { api_key: { kind: 'reference', ref: '${env:OPENAI_API_KEY}' } },
    });
    expect(planOf(openai).requires.secrets).toEqual(['${env:OPENAI_API_KEY}']);
  });

  it('of callers are slots, the same secret in the same one', () => {
    const target = (api_key: string) => ({ provider: 'openai', api_key });
    const { plan, secrets } = compiled(
      fallback(target('first-key'), target('other-key'), target('first-key')),
      'caller',
    );
    expect(secrets).toEqual(['first-key', 'other-key']);
    const slots = plan?.targets.map(({ credential }) => credential?.kind === 'fields' && credential.fields.api_key);
    expect(slots).toEqual([0, 1, 0].map((slot) => ({ kind: 'slot', slot })));
  });

  it('are several fields where the provider has several', () => {
    const keys = { cloudc_access_key_id: '${env:ID}', cloudc_secret_access_key: '${env:KEY}' };
    const [target] = targetsOf({ provider: 'cloudc', ...keys, cloudc_region: 'eu' });
    expect(target?.from).toEqual({ kind: 'inline', provider: 'vault' });
    expect(target?.credential?.kind === 'fields' && Object.keys(target.credential.fields)).toEqual(Object.keys(keys));
    expect(target?.settings).toEqual({ cloudc_region: 'eu' });
  });

  it('are left to the request where the config names no provider', () => {
    const [target] = targetsOf({ retry: { attempts: 1 } }, 'caller');
    expect(target).toMatchObject({ id: 'request', from: { kind: 'request' }, credential: { kind: 'request' } });
  });

  it('are none where a provider needs none, or a host was named', () => {
    expect(targetsOf({ provider: 'echo' })[0]?.credential).toBeNull();
    expect(targetsOf({ provider: 'openai', custom_host: 'http://localhost:1/v1' })[0]?.credential).toBeNull();
  });

  it('do not belong to what the state of a leaf is kept by', () => {
    const key = (api_key: string) =>
      compiled(fallback({ provider: 'openai', api_key: 'one-key!' }, { provider: 'openai', api_key }), 'caller');
    const [same, other] = ['one-key!', 'two-keys'].map((each) => {
      const root = key(each).plan?.root;
      return root?.kind === 'fallback' && root.branches[1]?.kind === 'leaf' ? root.branches[1].hash : undefined;
    });
    expect(same).toBeDefined();
    expect(same).toBe(other);
  });
});

describe('saved providers', () => {
  it('bring their credential and settings; the target adds its own', () => {
    const [target] = targetsOf({ provider: '@azure-prod', deployment_id: 'gpt-4o', api_version: 'v1' });
    expect(target).toMatchObject({
      from: { kind: 'saved', slug: 'azure-prod', provider: 'azure-openai' },
      credential: { kind: 'fields', fields: { api_key: { kind: 'reference', ref: '${file:/run/secrets/azure}' } } },
      settings: { resource_name: 'company', deployment_id: 'gpt-4o', api_version: 'v1' },
    });
  });

  it('may be named with a model', () => {
    const plan = planOf({ provider: '@openai-prod/gpt-4o/latest' });
    expect(plan.targets[0]?.model).toBe('gpt-4o/latest');
    expect(plan.root).toMatchObject({ needs: { request: 'edit', because: [{ body: 'request', setting: 'model' }] } });
  });

  it('are what virtual keys stand for', () => {
    expect(targetsOf({ virtual_key: 'team-a' }, 'caller')[0]?.from).toEqual({
      kind: 'saved',
      slug: 'team-a',
      provider: 'anthropic',
    });
    expect(codesOf({ virtual_key: 'team-a', provider: 'anthropic' })).toEqual([]);
    expect(codesOf({ virtual_key: 'team-a', provider: 'openai' })).toEqual(['mixed-credentials']);
  });

  it('are not told to whoever sends a config with a request', () => {
    for (const config of [{ provider: '@openai-prd' }, { virtual_key: 'team-b' }])
      expect(JSON.stringify(compiled(config, 'caller').diagnostics)).not.toMatch(/openai-prod|team-a/);
  });
});

describe('hosts', () => {
  const hostOf = (config: object, trust?: 'caller') => targetsOf(config as never, trust)[0]?.upstream;

  it("are the provider's, the saved one's or the config's own, without a slash at the end", () => {
    expect(hostOf(openai)).toEqual({ kind: 'provider' });
    expect(hostOf({ provider: '@local' })).toEqual({ kind: 'custom', baseUrl: 'http://127.0.0.1:11434/v1' });
    expect(hostOf({ provider: '@local', custom_host: 'HTTPS://Models.Example.com:443/x//' })).toEqual({
      kind: 'custom',
      baseUrl: 'https://models.example.com/x',
    });
  });

  it('of a saved provider are nearer than an inherited one', () => {
    const [local, other] = targetsOf({
      ...fallback({ provider: '@local' }, { provider: 'ollama' }),
      custom_host: 'http://h.example',
    });
    expect([local?.upstream, other?.upstream]).toEqual([
      { kind: 'custom', baseUrl: 'http://127.0.0.1:11434/v1' },
      { kind: 'custom', baseUrl: 'http://h.example' },
    ]);
  });

  it('are listed with their ports where they are known', () => {
    const plan = planOf(fallback(openai, { provider: '@local' }, { provider: '@azure-prod' }, { provider: 'echo' }));
    expect(plan.requires.hosts).toEqual(['127.0.0.1:11434', 'api.openai.com:443', 'company.openai.azure.com:443']);
  });

  it('that a request chooses never get a saved credential', () => {
    const mismatch = ['credential-origin-mismatch'];
    const host = 'https://elsewhere.example/v1';
    expect(codesOf({ provider: '@openai-prod', custom_host: host }, 'caller')).toEqual(mismatch);
    expect(codesOf({ virtual_key: 'team-a', custom_host: host }, 'caller')).toEqual(mismatch);
    expect(codesOf({ ...fallback({ provider: '@openai-prod' }), custom_host: host }, 'caller')).toEqual(mismatch);
    expect(codesOf({ provider: '@azure-prod', resource_name: 'mine' }, 'caller')).toEqual(mismatch);
    expect(codesOf({ provider: '@azure-prod', deployment_id: 'x' }, 'caller')).toEqual([]);
    expect(codesOf({ provider: '@local', custom_host: host }, 'caller')).toEqual([]);
    expect(codesOf({ provider: 'openai', api_key: 'my-own-key', custom_host: host }, 'caller')).toEqual([]);
    expect(codesOf({ provider: '@openai-prod', custom_host: host }, 'operator')).toEqual([]);
  });

  it.each([
    'ftp://models.example.com',
    'models.example.com',
    'https://',
    'https://user:pass@models.example.com',
    'https://models.example.com.',
    'https://models_example.com',
    'https://models.example.com/v1?x=1',
    'https://models.example.com/v1#x',
    'https://models.example.com:0',
    'https://models.example.com:99999',
    'https://0x7f.1/v1',
    'https://2130706433',
    'https://a.b.c.d.e.f.g.h.i.j.k',
    'https://models.example.com/a b',
    'https://models.example.com\\@evil.example',
    `https://models.example.com/${'x'.repeat(2100)}`,
    '',
  ])('cannot be %j', (custom_host) => {
    expect(codesOf({ provider: 'openai', custom_host })).toContain('invalid-custom-host');
  });
});
