import { describe, expect, it } from 'vitest';
import { policyWorld } from '../../plugins/control/metering/policies/support.ts';
import { deployment, imported } from './support.ts';

const commandForm = /echo '([^']*)' \| gw policies (usage|rate) create -/;

/** The places and reasons of the losses, and the bodies that their commands send. */
const limitsOf = async (source: object) => {
  const { losses } = await imported('litellm', source);
  return losses.map(({ place, why, instead }) => {
    const [, body = '', kind] = commandForm.exec(instead) ?? [];
    return { place, why, instead, kind, body: body === '' ? undefined : JSON.parse(body) };
  });
};

describe('limits of a file of LiteLLM', () => {
  it('are noted with commands whose bodies make policies', async () => {
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
          conditions: [{ key: 'provider', value: 'anthropic' }],
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
    await using world = await policyWorld();
    for (const { kind, body, place } of limits)
      expect(await world.ask(`/policies/${kind}-limits`, { json: body }), place).toMatchObject({ status: 200 });
  });

  it.each(['0d', 'soon', '400d'])('say that the period %s is none here', async (budget_duration) => {
    const [limit, ...others] = await limitsOf({
      model_list: [deployment('gpt', { model: 'openai/gpt-5.5' })],
      general_settings: { max_budget: 100, budget_duration },
    });
    expect(others).toEqual([]);
    expect(limit?.instead).toContain(`"${budget_duration}" is none: add "periodic_reset_days".`);
    expect(limit?.body).not.toHaveProperty('periodic_reset_days');
  });

  it('that are no numbers are noted without a body', async () => {
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

describe('shares of the deployments of one model', () => {
  const losses = async (...params: readonly object[]) => {
    const list = params.map((own) => deployment('chat', own));
    const found = await imported('litellm', { model_list: list });
    return found.losses.filter(({ why }) => why.includes('has none')).map(({ place }) => place);
  };

  it('are noted where some have one and others do not', async () => {
    const [first, second] = [{ model: 'openai/a', api_base: 'https://a.example/v1' }, { model: 'openai/b' }];
    expect(await losses({ ...first, rpm: 600 }, second)).toEqual(['/model_list/1']);
    expect(await losses(first, { ...second, weight: 2 })).toEqual(['/model_list/0']);
    expect(await losses(first, second)).toEqual([]);
    expect(await losses({ ...first, rpm: 600 }, { ...second, rpm: 60 })).toEqual([]);
  });
});
