import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/build/package-modules.ts';
import { policyWorld } from '../../plugins/control/metering/policies/support.ts';
import { deployment, imported } from './support.ts';

const commandForm = /echo '([^']*)' \| gw policies (usage|rate) create -/;

/** The places and reasons of the losses, and the request bodies in their commands. */
const limitsOf = async (source: object) => {
  const { losses } = await imported('litellm', source);
  return losses.map(({ place, why, instead }) => {
    const [, body = '', kind] = commandForm.exec(instead) ?? [];
    return { place, why, instead, kind, body: body === '' ? undefined : JSON.parse(body) };
  });
};

describe('limits in a LiteLLM file', () => {
  it('are noted with commands whose bodies create policies', async () => {
    const limits = await limitsOf({
      model_list: [
        deployment("it's", { model: "openai/it's", rpm: 60, tpm: 5000.5, max_budget: 2.5, budget_duration: '12h' }),
        deployment('anthropic/*', { model: 'anthropic/*', rpm: 30 }),
      ],
      litellm_settings: { max_budget: 7, budget_duration: '1mo' },
      general_settings: { max_budget: 100, budget_duration: '30d' },
    });
    const group_by = [{ key: 'workspace_id' }];
    const conditions = [
      { key: 'provider', value: 'openai' },
      { key: 'model', value: "it's" },
    ];
    const all = [{ key: 'workspace_id', value: '*' }];
    const rate = { group_by, unit: 'rpm' };
    const cost = { group_by, type: 'cost' };
    expect(limits.map(({ place, kind, body }) => [place, kind, body])).toEqual([
      [
        '/model_list/0/litellm_params/rpm',
        'rate',
        { ...rate, name: "Requests a minute of it's", conditions, type: 'requests', value: 60 },
      ],
      [
        '/model_list/0/litellm_params/tpm',
        'rate',
        { ...rate, name: "Tokens a minute of it's", conditions, type: 'tokens', value: 5000 },
      ],
      [
        '/model_list/0/litellm_params/max_budget',
        'usage',
        { ...cost, name: "Budget of it's", conditions, credit_limit: 2.5, periodic_reset_days: 1 },
      ],
      [
        '/model_list/1/litellm_params/rpm',
        'rate',
        {
          ...rate,
          name: 'Requests a minute of anthropic',
          conditions: [{ key: 'provider', value: '@anthropic' }],
          type: 'requests',
          value: 30,
        },
      ],
      [
        '/litellm_settings/max_budget',
        'usage',
        { ...cost, name: 'Budget', conditions: all, credit_limit: 7, periodic_reset: 'monthly' },
      ],
      [
        '/general_settings/max_budget',
        'usage',
        { ...cost, name: 'Budget', conditions: all, credit_limit: 100, periodic_reset_days: 30 },
      ],
    ]);
    const page = readFileSync(path.join(root, 'docs/recipes/move-clients-and-keys-from-litellm.md'), 'utf8');
    const [, section = ''] = page.split('\n## Virtual keys and budgets\n');
    for (const variable of ['GW_URL', 'GW_API_KEY']) {
      expect(section).toContain(variable);
      for (const { instead } of limits)
        expect(instead).toMatch(
          new RegExp(
            `"Virtual keys and budgets" of docs/recipes/move-clients-and-keys-from-litellm\\.md .*${variable}`,
          ),
        );
    }
    await using world = await policyWorld();
    for (const { kind, body, place } of limits)
      expect(await world.ask(`/policies/${kind}-limits`, { json: body }), place).toMatchObject({ status: 200 });
  });

  it.each(['0d', 'soon', '400d'])(
    'are noted with advice if the period is %s, which has no counterpart',
    async (budget_duration) => {
      const [limit, ...others] = await limitsOf({
        model_list: [deployment('gpt', { model: 'openai/gpt-5.5' })],
        general_settings: { max_budget: 100, budget_duration },
      });
      expect(others).toEqual([]);
      expect(limit?.instead).toContain(`"${budget_duration}" is not: add "periodic_reset_days".`);
      expect(limit?.body).not.toHaveProperty('periodic_reset_days');
    },
  );

  it('of providers are noted with commands whose bodies create policies', async () => {
    const limits = await limitsOf({
      model_list: [deployment('gpt', { model: 'openai/gpt-5.5' })],
      router_settings: {
        provider_budget_config: {
          openai: { budget_limit: 100, time_period: '1d' },
          gemini: { max_budget: 2.5, budget_duration: '30d' },
          azure: { budget_limit: 'much' },
        },
      },
    });
    const body = (provider: string, more: object) => ({
      name: `Budget of ${provider}`,
      conditions: [{ key: 'provider', value: provider }],
      ...{ group_by: [{ key: 'workspace_id' }], type: 'cost', ...more },
    });
    const at = '/router_settings/provider_budget_config';
    expect(limits.map(({ place, body: made }) => [place, made])).toEqual([
      [`${at}/openai`, body('openai', { credit_limit: 100, periodic_reset_days: 1 })],
      [`${at}/gemini`, body('google', { credit_limit: 2.5, periodic_reset_days: 30 })],
      [`${at}/azure`, undefined],
    ]);
    await using world = await policyWorld();
    for (const { body: json } of limits.slice(0, 2))
      expect(await world.ask('/policies/usage-limits', { json })).toMatchObject({ status: 200 });
  });

  it('that are not numbers are noted without a body', async () => {
    const limits = await limitsOf({
      model_list: [deployment('gpt', { model: 'openai/gpt-5.5', rpm: 'os.environ/RPM' })],
      general_settings: { budget_duration: '30d' },
    });
    expect(limits.map(({ place, body }) => [place, body])).toEqual([
      ['/model_list/0/litellm_params/rpm', undefined],
      ['/general_settings/budget_duration', undefined],
    ]);
  });
});

describe('the weights of the deployments of one model', () => {
  const places = ['https://eu.example/v1', 'https://us.example/v1', 'https://asia.example/v1'];
  const made = async (...params: readonly object[]) => {
    const list = params.map((own, index) =>
      deployment('chat', { model: 'openai/gpt-5.5', api_base: places[index], ...own }),
    );
    const found = await imported('litellm', { model_list: list });
    const { targets } = JSON.parse(found.files['configs/chat.json'] ?? '{}');
    return {
      weights: targets.map(({ weight }: { readonly weight: number }) => weight),
      notes: found.losses.flatMap(({ place, why }) => (why.includes('LiteLLM draws') ? [[place, why]] : [])),
    };
  };
  const first = (unit: string) => `LiteLLM draws "chat" by "${unit}", which is what its first deployment states`;
  const alike = 'The first deployment of "chat" states no weight, rpm or tpm, so LiteLLM draws all of them equally';
  const none = (unit: string) => `, and this one has no "${unit}": its weight is 0, and only a retry calls it.`;

  it.each([
    [
      'the weights, next to which limits are not shares',
      [{ weight: 7, rpm: 600 }, { weight: 3, rpm: 300 }, { rpm: 100 }],
      [7, 3, 0],
      [['/model_list/2', `${first('weight')}${none('weight')}`]],
    ],
    [
      'the limits if the first one has no weight',
      [{ rpm: 600 }, { rpm: 300, weight: 9 }, { tpm: 5000 }],
      [600, 300, 0],
      [
        ['/model_list/1', `${first('rpm')}: "weight" of this one is not a share, neither here nor there.`],
        ['/model_list/2', `${first('rpm')}${none('rpm')}`],
      ],
    ],
    [
      'equal if the first one has neither',
      [{}, { weight: 2, tpm: 10 }],
      [1, 1],
      [['/model_list/1', `${alike}: "weight" and "tpm" of this one is not a share, neither here nor there.`]],
    ],
    ['equal if none has a weight or a limit', [{}, {}], [1, 1], []],
    ['the limits of tokens', [{ tpm: 600 }, { tpm: 60 }], [600, 60], []],
    ['the stated weights, including 0', [{ weight: 1, rpm: 5 }, { weight: 0 }], [1, 0], []],
  ])('are %s', async (_what, params, weights, notes) => {
    expect(await made(...params)).toEqual({ weights, notes });
  });

  it('let retries reach a deployment whose weight is 0', async () => {
    const { files } = await imported('litellm', {
      model_list: [
        deployment('chat', { model: 'openai/a', weight: 7 }),
        deployment('chat', { model: 'openai/b', rpm: 100 }),
        deployment('chat', { model: 'openai/c', rpm: 100 }),
      ],
      router_settings: { num_retries: 2 },
    });
    const asked = (model: string) => expect.objectContaining({ override_params: { model } });
    expect(JSON.parse(files['configs/chat.json'] ?? '{}')).toMatchObject({
      strategy: { mode: 'fallback' },
      targets: [asked('a'), { targets: [{ weight: 1, targets: [asked('b'), asked('c')] }, { weight: 1 }] }],
    });
    expect(files['configs/chat.json']).not.toContain('"weight": 0');
  });
});
