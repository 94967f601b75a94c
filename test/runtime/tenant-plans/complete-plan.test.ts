import { describe, expect, it } from 'vitest';
import { completePlan, leavesProviderOpen } from '../../../runtime/tenant-plans/complete-plan.ts';
import { loadPlan } from '../../../schema/plan/load-plan.ts';
import { readPlan } from '../../support/plans/compiled.ts';

const given = (provider: string) => readPlan({ provider }, 'caller');

describe('a plan that leaves its provider to the request', () => {
  it('is one that names no provider', () => {
    expect(leavesProviderOpen(readPlan({ retry: { attempts: 1 } }))).toBe(true);
    expect(leavesProviderOpen(readPlan({ provider: '@openai-prod' }))).toBe(false);
    expect(leavesProviderOpen(readPlan({ override_params: { model: '@openai-prod/m' } }))).toBe(false);
    expect(leavesProviderOpen(readPlan({ strategy: { mode: 'fallback' }, targets: [{ provider: 'echo' }] }))).toBe(
      false,
    );
  });

  it.each([
    { retry: { attempts: 2 } },
    { retry: { attempts: 2 }, custom_host: 'https://models.example.com/v1' },
    { request_timeout: 100, forward_headers: ['x-team'], override_params: { n: 2 } },
    { input_guardrails: ['no-secrets'], api_version: 'v1' },
  ])('of %j becomes, with a provider, the plan of its config with that provider', (config) => {
    for (const provider of ['@openai-prod', '@openai-prod/gpt-4o', '@azure-prod', '@local']) {
      const completed = completePlan(readPlan(config), given(provider));
      const { requires, targets, root } = readPlan({ ...config, provider });
      expect(completed.root).toMatchObject({ kind: 'leaf', stages: root.kind === 'leaf' ? root.stages : [] });
      expect(completed.requires.secrets).toEqual(requires.secrets);
      expect(completed.requires.plugins).toEqual(requires.plugins);
      expect(completed.requires.hosts).toEqual(expect.arrayContaining([...requires.hosts]));
      const { id: _own, settings: _read, ...target } = targets[0] ?? { id: '', settings: {} };
      expect(completed.targets[0]).toMatchObject(target);
      expect(loadPlan(completed)).toEqual(completed);
    }
  });

  it('has the needs of the given model', () => {
    const completed = completePlan(readPlan({ retry: { attempts: 1 } }), given('@openai-prod/gpt-4o'));
    expect(completed.root).toMatchObject({
      needs: { request: 'edit', because: [{ body: 'request', setting: 'model' }] },
    });
  });

  it('is a different plan with each provider, and other plans do not change', () => {
    const plan = readPlan({ retry: { attempts: 1 } });
    const hashes = ['@openai-prod', '@azure-prod'].map((provider) => completePlan(plan, given(provider)).hash);
    expect(new Set([plan.hash, ...hashes]).size).toBe(3);
    const own = readPlan({ provider: '@openai-prod' });
    expect(completePlan(own, given('@azure-prod'))).toBe(own);
  });
});
