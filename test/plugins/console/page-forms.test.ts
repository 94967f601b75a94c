import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { readChecks, toCheckDraft, toControlKind } from '../../../plugins/console/app/pages/guardrails/parameters.ts';
import {
  otherPrices,
  toPriceFields,
  withPrices,
  wrongPrices,
} from '../../../plugins/console/app/pages/providers/prices.ts';
import {
  emptyDraft,
  missingFields,
  type ProviderKind,
  readDraft,
  type SavedProvider,
  toDraft,
} from '../../../plugins/console/app/pages/providers/provider-form.ts';

const kind: ProviderKind = {
  id: 'openai',
  documentation: 'https://example.com',
  credential: 'required',
  credential_fields: ['api_key'],
  settings: { properties: { custom_host: { type: 'string' }, deployments: {}, limit: { type: 'integer' } } },
  needs_address: false,
};

const saved: SavedProvider = {
  ...{ id: '1', slug: 'main', name: 'Main', note: null, provider: 'openai', integration_id: null, status: 'active' },
  settings: { custom_host: 'http://127.0.0.1/v1', deployments: [{ a: 1 }] },
  credential: { api_key: 'gw-sealed:/credential/api_key' },
};

describe('the form of a provider', () => {
  it('keeps the placeholder of an unchanged secret, and never shows it', () => {
    const draft = toDraft(saved);
    expect(JSON.stringify(draft)).not.toContain('gw-sealed');
    expect(readDraft(draft, kind, saved)).toEqual({
      kind: 'read',
      body: { name: 'Main', note: null, settings: saved.settings, credential: saved.credential },
    });
  });

  it('sends a new secret instead of the placeholder', () => {
    const read = readDraft({ ...toDraft(saved), credential: { api_key: 'sk-2' } }, kind, saved);
    expect(read).toMatchObject({ body: { credential: { api_key: 'sk-2' } } });
  });

  it('parses settings by their types, and names one that is invalid', () => {
    const draft = { ...emptyDraft, name: 'N', provider: 'openai' };
    expect(readDraft({ ...draft, settings: { limit: '3', deployments: '[1]', custom_host: ' x ' } }, kind)).toEqual({
      kind: 'read',
      body: {
        ...{ name: 'N', note: undefined, provider: 'openai' },
        settings: { limit: 3, deployments: [1], custom_host: 'x' },
      },
    });
    expect(readDraft({ ...draft, settings: { limit: 'three' } }, kind)).toEqual({ kind: 'failed', setting: 'limit' });
  });

  it('omits values that were entered for another service and no longer have a field', () => {
    const draft = {
      ...{ ...emptyDraft, name: 'N', provider: 'openai' },
      credential: { api_key: 'sk-1', access_key_id: 'of another' },
      settings: { custom_host: 'http://127.0.0.1/v1', region: 'of another' },
    };
    expect(readDraft(draft, kind)).toMatchObject({
      body: { credential: { api_key: 'sk-1' }, settings: { custom_host: 'http://127.0.0.1/v1' } },
    });
    expect(JSON.stringify(readDraft(draft, kind))).not.toContain('of another');
    const only = { ...draft, credential: { access_key_id: 'of another' }, settings: { region: 'of another' } };
    expect(missingFields(only, kind)).toEqual({ name: false, credential: true });
  });
});

describe('an incomplete form of a provider', () => {
  it.each([
    ['without a name', { ...emptyDraft, credential: { api_key: 'sk-1' } }, kind, { name: true, credential: false }],
    ['without a key', { ...emptyDraft, name: 'N', credential: { api_key: ' ' } }, kind, { credential: true }],
    [
      'for a service without keys',
      { ...emptyDraft, name: 'N' },
      { ...kind, credential: 'none' },
      { credential: false },
    ],
    ['with an address', { ...emptyDraft, name: 'N', settings: { custom_host: 'x' } }, kind, { credential: false }],
  ] as const)('is detected before it is sent: %s', (_, draft, service, missing) => {
    expect(missingFields(draft, service)).toMatchObject(missing);
  });

  it('needs no key if one is already saved', () => {
    expect(missingFields(toDraft(saved), kind, saved)).toEqual({ name: false, credential: false });
  });
});

describe('the form of a check', () => {
  it('returns the same parameters that it was filled with', () => {
    const shape = {
      properties: {
        words: { type: 'array', items: { type: 'string' } },
        operator: { enum: ['any', 'none'] },
        not: { type: 'boolean' },
        least: { type: 'integer' },
        map: { type: 'object' },
        token: { type: 'string', format: 'secret' },
      },
    };
    const parameters = {
      ...{ words: ['a b', 'c'], operator: 'none', not: false, least: 0, map: { a: [1] } },
      token: 'gw-sealed:/checks/0/parameters/token',
    };
    const check = { id: 'acme.check', parameters };
    expect(readChecks([toCheckDraft(check, shape)], () => shape)).toEqual({ kind: 'read', checks: [check] });
  });

  it('omits values that were entered for another check and no longer have a field', () => {
    const shape = { properties: { rule: { type: 'string' }, not: { type: 'boolean' } } };
    const fields = { words: 'a', rule: '^a', toString: 'b' };
    expect(readChecks([{ id: 'default.regexMatch', fields }], () => shape)).toEqual({
      kind: 'read',
      checks: [{ id: 'default.regexMatch', parameters: { rule: '^a' } }],
    });
    // For an unknown check, the gateway reports what is wrong.
    expect(readChecks([{ id: 'nobody.knows', fields: { words: '["a"]' } }], () => undefined)).toMatchObject({
      checks: [{ parameters: { words: ['a'] } }],
    });
  });

  it('names the field that cannot be parsed', () => {
    const shape = { properties: { least: { type: 'integer' }, map: { type: 'object' } } };
    const read = (fields: Record<string, string>) => readChecks([{ id: 'x', fields }], () => shape);
    expect(read({ least: 'two' })).toEqual({ kind: 'failed', check: 0, name: 'least', why: 'invalidNumber' });
    expect(read({ map: '{' })).toEqual({ kind: 'failed', check: 0, name: 'map', why: 'invalidJson' });
  });

  it('hides the secrets of every check', async () => {
    const checks = await Promise.all(
      builtinPlugins.flatMap(({ guardrails = [] }) => guardrails).map(async (check) => (await check.load?.()) ?? check),
    );
    const secrets = checks.flatMap(({ parameters: { properties = {} } }) =>
      Object.values(properties).filter(({ format }) => format === 'secret'),
    );
    expect(secrets.map((each) => toControlKind(each as never))).toEqual(secrets.map(() => 'secret'));
  });
});

describe('the form of the prices of a model', () => {
  const model = {
    ...{ slug: 'a', enabled: false },
    pricing_config: {
      pay_as_you_go: { request_token: { price: 0.00003 }, reasoning_token: { price: 1 } },
      batch_config: { request_token: { price: 2 } },
    },
  };

  it('shows dollars per million tokens and names the prices for which it has no field', () => {
    expect(toPriceFields(model)).toEqual({ input: '0.3', output: '', cached: '' });
    expect(otherPrices(model)).toEqual(['reasoning_token', 'batch_config']);
    expect(otherPrices({ slug: 'b', enabled: true })).toEqual([]);
  });

  it('changes only its own prices and leaves other models unchanged', () => {
    const other = { slug: 'b', enabled: true };
    expect(withPrices([other, model], 'a', { input: '', output: ' 0.7 ', cached: '0.1' })).toEqual([
      other,
      {
        ...{ slug: 'a', enabled: false },
        pricing_config: {
          pay_as_you_go: {
            response_token: { price: 0.00007 },
            cache_read_input_token: { price: 0.00001 },
            reasoning_token: { price: 1 },
          },
          batch_config: { request_token: { price: 2 } },
        },
      },
    ]);
  });

  it('removes prices whose fields are empty', () => {
    const priced = { slug: 'b', enabled: true, pricing_config: { pay_as_you_go: { request_token: { price: 1 } } } };
    const nothing = { input: '', output: '', cached: '' };
    expect(withPrices([priced], 'b', nothing)).toEqual([{ slug: 'b', enabled: true }]);
    expect(withPrices([], 'new', nothing)).toEqual([{ slug: 'new', enabled: true }]);
  });

  it('rejects text that is not a price', () => {
    expect(wrongPrices({ input: '-1', output: '1e3', cached: 'free' })).toEqual(['input', 'cached']);
    expect(wrongPrices({ input: '', output: ' ', cached: '0' })).toEqual([]);
  });
});
