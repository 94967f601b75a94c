import { describe, it } from 'vitest';
import { modelRules } from '../../../../plugins/guardrails/request/model-rules.ts';
import { modelWhitelist } from '../../../../plugins/guardrails/request/model-whitelist.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';

describe('default.modelWhitelist', () => {
  const models = ['gpt-4o', 'o3'];

  it('requires the called model to be in its list, letter by letter', () =>
    testGuardrail(modelWhitelist, [
      { parameters: { models }, model: 'gpt-4o', verdict: 'pass' },
      { parameters: { models }, request: { model: 'o3' }, verdict: 'pass' },
      { parameters: { models }, request: { model: 'o3' }, model: 'gpt-5', verdict: 'fail' },
      { parameters: { models }, model: 'GPT-4o', verdict: 'fail' },
      { parameters: { models, not: true }, model: 'gpt-5', verdict: 'pass' },
      { parameters: { models, not: true }, model: 'o3', verdict: 'fail' },
      {
        parameters: { models },
        model: 'm'.repeat(1_000_000),
        verdict: 'fail',
        data: { requestedModel: `${'m'.repeat(100)}...` },
      },
    ]));

  it('requires the models of tools and fallback models to be in its list too', () =>
    testGuardrail(modelWhitelist, [
      { parameters: { models }, request: { model: 'o3', models: ['gpt-5'] }, verdict: 'fail' },
      { parameters: { models }, request: { model: 'o3', fallbacks: ['gpt-4o'] }, verdict: 'pass' },
      {
        ...{ parameters: { models }, request: { model: 'o3', tools: [{ type: 'image_generation', model: 'dall' }] } },
        ...{ verdict: 'fail', data: { requestedModel: 'dall' } },
      },
      { parameters: { models }, request: { model: 'x', models: ['gpt-5'] }, model: 'o3', verdict: 'fail' },
      { parameters: { models, not: true }, request: { model: 'gpt-5', models: ['o3'] }, verdict: 'fail' },
    ]));

  it('cannot judge a request without a model, and rejects an empty list', () =>
    testGuardrail(modelWhitelist, [
      { parameters: { models }, verdict: 'error' },
      { parameters: { models }, request: { model: 4 }, verdict: 'error' },
      { parameters: { models: [] }, verdict: 'refused' },
      { parameters: {}, verdict: 'refused' },
    ]));
});

describe('default.modelRules', () => {
  const rules = {
    defaults: ['mini'],
    metadata: { tier: { gold: ['*'], free: ['mini', 'small'] }, team: { research: ['large'] } },
  };

  it('requires a model that the metadata select', () =>
    testGuardrail(modelRules, [
      { parameters: { rules }, model: 'small', metadata: { tier: 'free' }, verdict: 'pass' },
      { parameters: { rules }, model: 'large', metadata: { tier: 'free' }, verdict: 'fail' },
      { parameters: { rules }, model: 'large', metadata: { tier: 'free', team: 'research' }, verdict: 'pass' },
      { parameters: { rules }, model: 'anything', metadata: { tier: 'gold' }, verdict: 'pass' },
      { parameters: { rules, not: true }, model: 'small', metadata: { tier: 'free' }, verdict: 'fail' },
      { parameters: { rules, not: true }, model: 'anything', metadata: { tier: 'gold' }, verdict: 'fail' },
      { parameters: { rules, not: true }, model: 'large', metadata: { tier: 'free' }, verdict: 'pass' },
    ]));

  it('requires a default model if the metadata select none', () =>
    testGuardrail(modelRules, [
      { parameters: { rules }, model: 'mini', verdict: 'pass' },
      { parameters: { rules }, model: 'small', metadata: { tier: 'silver' }, verdict: 'fail' },
      { parameters: { rules }, model: 'small', metadata: { tier: 'constructor' }, verdict: 'fail' },
    ]));

  it('cannot judge a request without a model or without a rule for it', () =>
    testGuardrail(modelRules, [
      { parameters: { rules }, verdict: 'error' },
      { parameters: { rules: { metadata: rules.metadata } }, model: 'mini', verdict: 'error' },
    ]));

  it('rejects rules that name no model', () =>
    testGuardrail(modelRules, [
      { parameters: {}, verdict: 'refused' },
      { parameters: { rules: {} }, verdict: 'refused' },
      { parameters: { rules: { defaults: [] } }, verdict: 'refused' },
      { parameters: { rules: { metadata: { tier: { gold: [] } } } }, verdict: 'refused' },
      { parameters: { rules: { metadata: { tier: ['mini'] } } }, verdict: 'refused' },
      { parameters: { rules: { default: ['mini'] } }, verdict: 'refused' },
    ]));
});
