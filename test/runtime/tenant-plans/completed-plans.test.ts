import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { toServedPlan } from '../../../runtime/file-plans/served-plan.ts';
import { createCompletedPlans } from '../../../runtime/tenant-plans/completed-plans.ts';
import type { Saved } from '../../../schema/config/saved.ts';
import { originOfTrust, type Trust } from '../../../schema/config/trust.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { testCatalogue as catalogue } from '../../support/plans/catalogue.ts';
import { fakeLinkedPlan } from '../../support/plans/fake-linked-plan.ts';

const [file, stored] = ['${env:KEY}', '${saved:providers/018f/api_key}'];
const aws = { provider: 'bedrock', settings: { cloudc_region: 'eu-west-1' } };
const azure = { provider: 'azure-openai', settings: { resource_name: 'mine' } };

const saved: Saved = {
  providers: {
    'file-openai': { provider: 'openai', credential: { api_key: file } },
    'stored-openai': { provider: 'openai', credential: { api_key: stored }, models: { only: ['gpt'] } },
    'file-azure': { ...azure, credential: { api_key: file } },
    'stored-azure': { ...azure, credential: { api_key: stored } },
    'file-aws': { ...aws, credential: { api_key: file } },
    'stored-aws': { ...aws, credential: { api_key: stored } },
    machine: { ...azure, settings: { ...azure.settings, clouda_auth_mode: 'managed' } },
    bare: { provider: 'ollama', settings: { custom_host: 'https://models.example/v1' } },
  },
  virtualKeys: {},
  guardrails: {},
};

const served = (config: object, trust: Trust) => {
  const { plan, secrets, diagnostics } = compile(JSON.stringify(config), { trust, catalogue, saved, name: 'mine' });
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return toServedPlan(fakeLinkedPlan(plan), { origin: originOfTrust[trust], secrets });
};

/** Completes a config that has the members of `own` with the provider `name`. */
const complete = (own: object, trust: Trust, name: string) => {
  const config = { retry: { attempts: 1 }, ...own };
  const linked: RoutingPlan[] = [];
  const completed = createCompletedPlans({
    link: (plan) => {
      linked.push(plan);
      return fakeLinkedPlan(plan);
    },
    provider: (id) => catalogue.providers.get(id),
  });
  try {
    const made = completed(served(config, trust), served({ provider: `@${name}` }, 'caller'));
    return { made, linked };
  } catch (error) {
    if (error instanceof GatewayError) return { refused: error.report, linked };
    throw error;
  }
};

/** Members that decide where a credential is sent or what is sent with it, with the providers that they affect. */
const diverting: readonly (readonly [object, readonly string[]])[] = [
  [{ custom_host: 'https://evil.example/v1' }, ['openai', 'azure', 'aws']],
  [{ forward_headers: ['x-team'] }, ['openai', 'azure', 'aws']],
  [{ resource_name: 'evil' }, ['azure']],
  [{ cloudc_region: 'us-east-1' }, ['aws']],
];

const cases = diverting.flatMap(([member, providers]) => providers.map((provider) => [member, provider] as const));

describe('a saved config without a provider', () => {
  it.each(cases)(
    'of a store cannot use %j to change where, or with what, a saved credential is sent: %s',
    (member, provider) => {
      for (const name of [`file-${provider}`, `stored-${provider}`]) {
        const { refused, linked } = complete(member, 'saved', name);
        expect(refused, name).toMatchObject({ code: 'credential-origin-mismatch', status: 400 });
        expect(refused?.message).toContain('which the config "mine" chose');
        expect(linked).toEqual([]);
      }
    },
  );

  it.each(cases)('of a file can use %j for credentials of the gateway file only: %s', (member, provider) => {
    expect(complete(member, 'operator', `file-${provider}`).linked).toHaveLength(1);
    expect(complete(member, 'operator', `stored-${provider}`).refused?.code).toBe('credential-origin-mismatch');
  });

  it('of a store cannot divert the identity of the machine, but may divert a provider without a credential', () => {
    expect(complete({ resource_name: 'evil' }, 'saved', 'machine').refused?.code).toBe('credential-origin-mismatch');
    expect(complete({ custom_host: 'https://other.example' }, 'saved', 'bare').linked).toHaveLength(1);
  });

  it('keeps the secrets of its own checks, and the models that the provider allows', () => {
    const webhook = { webhookURL: 'https://a.example', secretHeaders: { 'x-key': 'of-the-check' } };
    const { made } = complete({ input_guardrails: [{ 'default.webhook': webhook }] }, 'saved', 'stored-openai');
    expect(made).toMatchObject({ origin: 'saved', secrets: ['of-the-check'] });
    expect(made?.linked.plan.targets[0]).toMatchObject({ allowedModels: { only: ['gpt'] } });
  });
});
