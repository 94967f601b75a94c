import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { nothingSaved } from '../../../schema/config/saved.ts';
import { listChecks } from '../../../schema/plan/stages.ts';
import { testCatalogue as catalogue } from '../../support/plans/catalogue.ts';
import { compiled, readPlan, readTargets, toCodes } from '../../support/plans/compiled.ts';

const openai = { provider: 'openai', api_key: '${env:OPENAI_API_KEY}' };
const savedOne = { provider: '@openai-prod' };
const fallback = (...targets: readonly object[]) => ({ strategy: { mode: 'fallback' }, targets: targets as never });
const single = (target: object) => ({ strategy: { mode: 'single' }, targets: [target] as never });

describe('the ids of targets', () => {
  it('are their names if no other target has the same name, otherwise the provider and the place', () => {
    const targets = [{ ...openai, name: 'a' }, { ...openai, name: 'b' }, { ...openai, name: 'b' }, openai];
    const ids = readTargets(fallback(...targets)).map(({ id }) => id);
    expect(ids).toEqual(['a', 'openai#targets.1', 'openai#targets.2', 'openai#targets.3']);
  });

  it('differ from names that look like places', () => {
    const ids = readTargets(fallback(openai, { ...openai, name: 'openai#targets.0' })).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it('are listed only for reachable targets', () => {
    const config = {
      strategy: { mode: 'loadbalance' },
      targets: [
        { ...openai, name: 'never', weight: 0 },
        { ...openai, name: 'always' },
      ],
    };
    expect(readTargets(config).map(({ id }) => id)).toEqual(['always']);
  });
});

describe('credentials', () => {
  it('from files are references', () => {
    expect(readTargets(openai)[0]?.credential).toEqual({
      kind: 'fields',
      fields: { api_key: { kind: 'reference', ref: '${env:OPENAI_API_KEY}' } },
    });
    expect(readPlan(openai).requires.secrets).toEqual(['${env:OPENAI_API_KEY}']);
  });

  it('from callers are slots, and equal secrets share a slot', () => {
    const target = (api_key: string) => ({ provider: 'openai', api_key });
    const { plan, secrets } = compiled(
      fallback(target('first-key'), target('other-key'), target('first-key')),
      'caller',
    );
    expect(secrets).toEqual(['first-key', 'other-key']);
    const slots = plan?.targets.map(({ credential }) => credential?.kind === 'fields' && credential.fields.api_key);
    expect(slots).toEqual([0, 1, 0].map((slot) => ({ kind: 'slot', slot, origin: 'caller' })));
  });

  it("record the origin of each literal: a literal of a saved text never counts as the caller's", () => {
    const scan = { webhook: { webhookURL: 'https://a.example', secretHeaders: { 'x-key': 'of-a-guardrail' } } };
    const guardrails = { scan };
    const config = { provider: 'openai', api_key: 'literal', input_guardrails: ['scan'] };
    for (const trust of ['caller', 'saved'] as const) {
      const { plan } = compile(JSON.stringify(config), { trust, catalogue, saved: { ...nothingSaved, guardrails } });
      expect(plan?.targets[0]?.credential).toEqual({
        kind: 'fields',
        fields: { api_key: { kind: 'slot', slot: 0, origin: trust } },
      });
      const stages = plan?.root.kind === 'leaf' ? plan.root.stages : [];
      const [call] = stages.flatMap(listChecks);
      expect(Object.values(call?.secrets ?? {})).toEqual([{ kind: 'slot', slot: 1, origin: 'saved' }]);
    }
  });

  it('have several fields if the provider has several', () => {
    const keys = { cloudc_access_key_id: '${env:ID}', cloudc_secret_access_key: '${env:KEY}' };
    const [target] = readTargets({ provider: 'vault', ...keys, cloudc_region: 'eu' });
    expect(target?.from).toEqual({ kind: 'inline', provider: 'vault' });
    expect(target?.credential?.kind === 'fields' && Object.keys(target.credential.fields)).toEqual(Object.keys(keys));
    expect(target?.settings).toEqual({ cloudc_region: 'eu' });
  });

  it('come from the request if the config names no provider', () => {
    const [target] = readTargets({ retry: { attempts: 1 } }, 'caller');
    expect(target).toMatchObject({ id: 'request', from: { kind: 'request' }, credential: { kind: 'request' } });
  });

  it('are null if the provider needs none or the config names a host', () => {
    expect(readTargets({ provider: 'echo' })[0]?.credential).toBeNull();
    expect(readTargets({ provider: 'openai', custom_host: 'http://localhost:1/v1' })[0]?.credential).toBeNull();
  });

  it('do not affect the hash of a leaf, under which its state is kept', () => {
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

describe('forwarded headers', () => {
  const forward = { forward_headers: ['Authorization'] };

  it('count as the credential of a target that has no other', () => {
    for (const name of ['Authorization', 'x-api-key', 'API-Key', 'X-Goog-Api-Key'])
      expect(toCodes({ provider: 'openai', forward_headers: [name] })).toEqual([]);
    expect(toCodes({ ...single({ provider: 'openai' }), ...forward })).toEqual([]);
    expect(toCodes({ provider: 'openai', forward_headers: ['x-request-id'] })).toEqual(['missing-credentials']);
  });

  it('cause a warning if they include an AWS signature header', () => {
    const forward = { forward_headers: ['x-request-id', 'X-Amz-Date'] };
    expect(toCodes({ provider: '@openai-prod', ...forward })).toEqual(['header-not-forwarded']);
  });

  it('are checked for credentials even if some of them are not strings', () => {
    const forward = { forward_headers: [-1, 'authorization'] };
    expect(toCodes({ provider: 'openai', ...forward })).toEqual(['wrong-type']);
    expect(toCodes({ provider: 'openai', api_key: '${env:KEY}', ...forward })).toEqual(['wrong-type']);
  });

  it('are reported if they carry a credential to several targets', () => {
    const codes = (...targets: readonly object[]) => toCodes({ ...fallback(...targets), ...forward });
    expect(codes({ provider: 'openai' }, { provider: 'anthropic' })).toEqual(['forwarded-credential']);
    expect(codes(openai, { provider: '@openai-prod' })).toEqual(['forwarded-credential']);
    expect(codes({ provider: 'openai' }, fallback({ provider: 'groq' }, { provider: 'echo' }))).toEqual([
      'forwarded-credential',
    ]);
  });

  it("are not reported if only one target gets them, or if all targets use the credential's own provider", () => {
    const codes = (...targets: readonly object[]) => toCodes({ ...fallback(...targets), ...forward });
    expect(codes({ provider: 'openai' }, { provider: 'openai', override_params: { model: 'm' } })).toEqual([]);
    expect(codes({ provider: 'openai' }, { ...openai, forward_headers: [] })).toEqual([]);
    expect(toCodes({ ...single({ provider: 'openai' }), ...forward })).toEqual([]);
    expect(
      toCodes({ ...fallback(openai, { ...openai, request_timeout: 5000 }), forward_headers: ['x-request-id'] }),
    ).toEqual([]);
    expect(toCodes(fallback({ provider: 'openai', ...forward }, { provider: 'anthropic', ...forward }))).toEqual([]);
  });
});

describe('saved providers', () => {
  it('supply their credential and settings, to which the target adds its own', () => {
    const [target] = readTargets({ provider: '@azure-prod', deployment_id: 'gpt-4o', api_version: 'v1' });
    expect(target).toMatchObject({
      from: { kind: 'saved', slug: 'azure-prod', provider: 'azure-openai' },
      credential: { kind: 'fields', fields: { api_key: { kind: 'reference', ref: '${file:/run/secrets/azure}' } } },
      settings: { resource_name: 'company', deployment_id: 'gpt-4o', api_version: 'v1' },
    });
  });

  it('may be combined with a model', () => {
    const plan = readPlan({ provider: '@openai-prod/gpt-4o/latest' });
    expect(plan.targets[0]?.model).toBe('gpt-4o/latest');
    expect(plan.root).toMatchObject({ needs: { request: 'edit', because: [{ body: 'request', setting: 'model' }] } });
  });

  it('are chosen by a model "@slug/model" if the target names no provider', () => {
    const model = { override_params: { model: '@openai-prod/gpt-4o/latest', n: 2 } };
    const named = {
      from: { kind: 'saved', slug: 'openai-prod', provider: 'openai' },
      credential: { kind: 'fields', fields: { api_key: { kind: 'reference', ref: '${env:OPENAI_API_KEY}' } } },
      params: { override: { model: 'gpt-4o/latest', n: 2 } },
    };
    expect(readTargets(model)[0]).toMatchObject(named);
    expect(readTargets(model, 'caller')[0]).toMatchObject(named);
    expect(readTargets(fallback(model))[0]).toMatchObject(named);
    expect(readTargets({ ...fallback({ retry: { attempts: 1 } }, savedOne), ...model })[0]).toMatchObject(named);
    expect(readPlan(model).requires.secrets).toEqual(['${env:OPENAI_API_KEY}']);
  });

  it.each([
    ['a saved provider', { provider: '@openai-prod', override_params: { model: '@openai-prod/gpt-4o' } }],
    ['a virtual key', { virtual_key: 'team-a', override_params: { model: '@team-a/gpt-4o' } }],
    ['a provider by its name', { ...openai, override_params: { model: '@openai/gpt-4o' } }],
    ['a provider by its alias', { ...openai, override_params: { model: '@llmv/gpt-4o' } }],
  ])('may be named twice: next to %s the same slug is removed from the model', (_, config) => {
    const [target] = readTargets(config);
    expect(target?.params.override).toEqual({ model: 'gpt-4o' });
  });

  it.each([
    { provider: '@openai-prod', override_params: { model: '@azure-prod/gpt-4o' } },
    { provider: '@openai-prod', override_params: { model: '@nobody/gpt-4o' } },
    { virtual_key: 'team-a', override_params: { model: '@openai-prod/gpt-4o' } },
    { ...openai, override_params: { model: '@openai-prod/gpt-4o' } },
    { ...single(openai), override_params: { model: '@openai-prod/gpt-4o' } },
  ])('cannot differ between the model and the target: %j', (config) => {
    expect(toCodes(config)).toEqual(['other-provider-model']);
    expect(toCodes(config, 'caller')).toContain('other-provider-model');
  });

  it('named by a model must exist, and are its only credential', () => {
    expect(toCodes({ override_params: { model: '@openai-prd/gpt-4o' } })).toEqual(['unknown-saved-provider']);
    expect(toCodes({ override_params: { model: '@openai-prod/gpt-4o' }, api_key: '${env:OTHER}' })).toEqual([
      'mixed-credentials',
    ]);
    const diverted = { override_params: { model: '@openai-prod/gpt-4o' }, custom_host: 'https://evil.example/v1' };
    expect(toCodes(diverted, 'caller')).toEqual(['credential-origin-mismatch']);
    expect(toCodes(diverted)).toEqual([]);
  });

  it('are named only by models of the form @slug/model', () => {
    for (const model of ['gpt-4o', '@openai-prod', '@openai-prod/', '@/gpt-4o', 'openai-prod/gpt-4o', 4])
      expect(toCodes({ override_params: { model } as never })).toEqual(['no-valid-combination']);
    for (const model of ['@openai-prod', '@openai-prod/'])
      expect(readTargets({ ...openai, override_params: { model } })[0]?.params.override).toEqual({ model });
  });

  it('are what virtual keys refer to', () => {
    expect(readTargets({ virtual_key: 'team-a' }, 'caller')[0]?.from).toEqual({
      kind: 'saved',
      slug: 'team-a',
      provider: 'anthropic',
    });
    expect(toCodes({ virtual_key: 'team-a', provider: 'anthropic' })).toEqual([]);
    expect(toCodes({ virtual_key: 'team-a', provider: 'openai' })).toEqual(['mixed-credentials']);
    expect(toCodes({ virtual_key: 'team-a', provider: 'nobody' })).toEqual(['unknown-provider']);
  });

  it('are not revealed to a caller who sends a config with a request', () => {
    for (const config of [{ provider: '@openai-prd' }, { virtual_key: 'team-b' }])
      expect(JSON.stringify(compiled(config, 'caller').diagnostics)).not.toMatch(/openai-prod|team-a/);
  });
});

describe('hosts', () => {
  const findHost = (config: object, trust?: 'caller') => readTargets(config as never, trust)[0]?.upstream;

  it('come from the provider, the saved provider or the config, without a trailing slash', () => {
    expect(findHost(openai)).toEqual({ kind: 'provider' });
    expect(findHost({ provider: '@local' })).toEqual({ kind: 'custom', baseUrl: 'http://127.0.0.1:11434/v1' });
    expect(findHost({ provider: '@local', custom_host: 'HTTPS://Models.Example.com:443/x//' })).toEqual({
      kind: 'custom',
      baseUrl: 'https://models.example.com/x',
    });
  });

  it('of a saved provider take precedence over an inherited one', () => {
    const [local, other] = readTargets({
      ...fallback({ provider: '@local' }, { provider: 'ollama' }),
      custom_host: 'http://h.example',
    });
    expect([local?.upstream, other?.upstream]).toEqual([
      { kind: 'custom', baseUrl: 'http://127.0.0.1:11434/v1' },
      { kind: 'custom', baseUrl: 'http://h.example' },
    ]);
  });

  it('are listed with their ports if they are known', () => {
    const plan = readPlan(fallback(openai, { provider: '@local' }, { provider: '@azure-prod' }, { provider: 'echo' }));
    expect(plan.requires.hosts).toEqual(['127.0.0.1:11434', 'api.openai.com:443', 'company.openai.azure.com:443']);
  });

  it('may have underscores in their names, as those of container services do', () => {
    const config = { provider: 'openai', custom_host: 'http://LLM_server:8000/v1' };
    expect(findHost(config)).toEqual({ kind: 'custom', baseUrl: 'http://llm_server:8000/v1' });
    expect(toCodes(config)).toEqual([]);
  });

  it('chosen by a request never get a saved credential', () => {
    const mismatch = ['credential-origin-mismatch'];
    const host = 'https://elsewhere.example/v1';
    expect(toCodes({ provider: '@openai-prod', custom_host: host }, 'caller')).toEqual(mismatch);
    expect(toCodes({ virtual_key: 'team-a', custom_host: host }, 'caller')).toEqual(mismatch);
    expect(toCodes({ ...fallback({ provider: '@openai-prod' }), custom_host: host }, 'caller')).toEqual(mismatch);
    expect(toCodes({ provider: '@azure-prod', resource_name: 'mine' }, 'caller')).toEqual(mismatch);
    expect(toCodes({ provider: '@azure-prod', deployment_id: 'x' }, 'caller')).toEqual([]);
    expect(toCodes({ provider: '@local', custom_host: host }, 'caller')).toEqual([]);
    expect(toCodes({ provider: 'openai', api_key: 'my-own-key', custom_host: host }, 'caller')).toEqual([]);
    expect(toCodes({ provider: '@openai-prod', custom_host: host }, 'operator')).toEqual([]);
  });

  it('get no request headers along with a saved credential unless the operator allows it', () => {
    const mismatch = ['credential-origin-mismatch'];
    const forward = { forward_headers: ['x-request-id'] };
    expect(toCodes({ provider: '@openai-prod', ...forward }, 'caller')).toEqual(mismatch);
    expect(toCodes({ virtual_key: 'team-a', ...forward }, 'caller')).toEqual(mismatch);
    expect(toCodes({ ...fallback({ provider: '@openai-prod' }), ...forward }, 'caller')).toEqual(mismatch);
    expect(toCodes({ override_params: { model: '@openai-prod/m' }, ...forward }, 'caller')).toEqual(mismatch);
    expect(toCodes({ provider: '@openai-prod', forward_headers: [] }, 'caller')).toEqual([]);
    expect(toCodes({ provider: '@local', ...forward }, 'caller')).toEqual([]);
    expect(toCodes({ provider: 'openai', api_key: 'my-own-key', ...forward }, 'caller')).toEqual([]);
    expect(toCodes({ provider: '@openai-prod', ...forward }, 'operator')).toEqual([]);
  });

  it.each([
    'ftp://models.example.com',
    'models.example.com',
    'https://',
    'https://user:pass@models.example.com',
    'https://models.example.com.',
    'https://models..example.com',
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
    expect(toCodes({ provider: 'openai', custom_host })).toContain('invalid-custom-host');
  });
});
