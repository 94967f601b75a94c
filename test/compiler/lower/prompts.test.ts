import { describe, expect, it } from 'vitest';
import { describeTarget } from '../../../compiler/cli/explain/describe-target.ts';
import { compile } from '../../../compiler/compile.ts';
import type { Saved, SavedPrompt, SavedPrompts } from '../../../schema/config/saved.ts';
import type { Trust } from '../../../schema/config/trust.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { listLeaves } from '../../../schema/plan/list-leaves.ts';
import type { CompileResult, RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import { testCatalogue as catalogue, testSaved } from '../../support/plans/catalogue.ts';

const hi: SavedPrompt = { slug: 'hi', versionId: 'v1', virtualKey: 'team-a', kind: 'chat' };
const prompts: SavedPrompts = {
  slugs: ['hi', 'tale'],
  found: {
    hi,
    'hi@prod': { ...hi, versionId: 'v2' },
    tale: { ...hi, slug: 'tale', versionId: 'v3', virtualKey: '@limited', kind: 'text' },
  },
};
const saved: Saved = {
  ...testSaved,
  providers: {
    ...testSaved.providers,
    limited: {
      ...{ provider: 'openai', credential: { api_key: '${env:KEY}' }, models: { only: ['a'] } },
      settings: { llmv_project: 'p', custom_host: 'https://limited.example/v1' },
    },
  },
  virtualKeys: { ...testSaved.virtualKeys, 'team-a': { provider: 'openai', credential: { api_key: '${env:TEAM_A}' } } },
  prompts,
};

const compiled = (config: JsonObject, more: Partial<SavedPrompts> = {}, trust: Trust = 'saved'): CompileResult =>
  compile(JSON.stringify(config), { trust, catalogue, saved: { ...saved, prompts: { ...prompts, ...more } } });

const readPlan = (config: JsonObject): RoutingPlan => {
  const { plan, diagnostics } = compiled(config);
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  expect(diagnostics).toEqual([]);
  return plan;
};

const findTarget = (config: JsonObject): Target | undefined => readPlan(config).targets[0];
const fallback = (...targets: readonly JsonObject[]): JsonObject => ({ strategy: { mode: 'fallback' }, targets });

describe('a target with prompt_id', () => {
  it('calls the virtual key or saved provider of the prompt, with all of its saved settings', () => {
    const { prompt, ...ofKey } = findTarget({ prompt_id: 'hi' }) ?? {};
    expect(prompt).toEqual({ reference: 'hi', versionId: 'v1', kind: 'chat' });
    expect(ofKey).toEqual(findTarget({ virtual_key: 'team-a' }));
    const { prompt: tale, ...ofProvider } = findTarget({ prompt_id: 'tale' }) ?? {};
    expect(tale).toEqual({ reference: 'tale', versionId: 'v3', kind: 'text' });
    expect(ofProvider).toEqual(findTarget({ provider: '@limited' }));
    expect(findTarget({ prompt_id: 'tale' })?.allowedModels).toEqual({ only: ['a'] });
  });

  it('calls the provider that the config names next to it', () => {
    const beside = { prompt_id: 'hi', provider: '@limited' };
    expect(findTarget(beside)).toEqual({
      ...findTarget({ provider: '@limited' }),
      prompt: { reference: 'hi', versionId: 'v1', kind: 'chat' },
    });
    expect(findTarget({ prompt_id: 'tale', virtual_key: 'team-a' })?.from).toMatchObject({ slug: 'team-a' });
    expect(findTarget({ prompt_id: 'hi', provider: 'openai', api_key: 'sk' })?.from).toEqual({
      kind: 'inline',
      provider: 'openai',
    });
  });

  it('accepts no credential other than that of the prompt', () => {
    const { plan, diagnostics } = compiled({ prompt_id: 'hi', api_key: 'sk-other' });
    expect(plan).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'mixed-credentials', pointer: '/api_key' }]);
    expect(compiled({ prompt_id: 'hi', custom_host: 'https://mine.example' }).diagnostics).toMatchObject([
      { code: 'credential-origin-mismatch', pointer: '/custom_host' },
    ]);
  });

  it('requires a gateway that supports stored prompts, and its leaf edits the request', () => {
    const { requires, root, bounds } = readPlan({ prompt_id: 'hi' });
    expect(requires).toMatchObject({
      ...{ features: ['stored-prompts'], plugins: { providers: ['openai'] }, secrets: ['${env:TEAM_A}'] },
      hosts: ['api.openai.com:443'],
    });
    expect(bounds.calls).toBe(1);
    expect(root).toMatchObject({ needs: { request: 'edit', because: [{ body: 'request', setting: 'prompt_id' }] } });
  });

  it('makes the other targets of the plan remove the variables from the request', () => {
    const needs = (config: JsonObject) => listLeaves(readPlan(config).root).map((leaf) => leaf.needs.request);
    expect(needs(fallback({ prompt_id: 'hi' }, { provider: '@openai-prod' }))).toEqual(['edit', 'edit']);
    expect(needs(fallback({ provider: '@azure-prod' }, { provider: '@openai-prod' }))).toEqual(['pass', 'pass']);
  });

  it('is not inherited', () => {
    const { plan, diagnostics } = compiled({
      prompt_id: 'hi',
      ...fallback({ provider: '@openai-prod' }, { provider: 'echo' }),
    });
    expect(plan?.targets.map(({ prompt }) => prompt)).toEqual([undefined, undefined]);
    expect(diagnostics).toMatchObject([{ code: 'no-effect', pointer: '/prompt_id' }]);
  });

  it.each<[string, Trust, string]>([
    ['hii', 'saved', 'Did you mean "hi"?'],
    ['tael@prod', 'saved', 'Did you mean "tale@prod"?'],
    ['hi@dev', 'saved', 'The prompt "hi" has no version "dev": write its number, "latest", "published" or a label.'],
    ['else', 'saved', 'Saved names: "hi", "tale".'],
    ['hii', 'caller', 'Ask the operator of the gateway which names are saved.'],
    ['hi@dev', 'caller', 'Ask the operator of the gateway which names are saved.'],
  ])('is an error if the name is unknown: %s with the trust %s', (prompt_id, trust, hint) => {
    const { plan, diagnostics } = compiled({ prompt_id }, {}, trust);
    expect(plan).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'unknown-prompt', pointer: '/prompt_id', hint }]);
    expect(compiled({ prompt_id, provider: '@openai-prod' }, {}, trust).diagnostics).toMatchObject([
      { code: 'unknown-prompt' },
    ]);
  });

  it('suggests creating a prompt if none is saved', () => {
    expect(compiled({ prompt_id: 'hi' }, { slugs: [], found: {} }).diagnostics).toMatchObject([
      { hint: 'Nothing is saved in this workspace. Create it first: POST /v1/prompts' },
    ]);
  });

  it('becomes a target that reports the missing prompt if the prompt was deleted, even with a provider next to it', () => {
    const config = fallback({ prompt_id: 'gone', provider: '@openai-prod' }, { provider: '@openai-prod' });
    const { plan, diagnostics } = compiled(config, { mayBeGone: true });
    expect(diagnostics).toEqual([]);
    expect(plan?.targets[0]).toMatchObject({
      from: { kind: 'prompt', promptId: 'gone' },
      credential: { kind: 'request' },
    });
    expect(plan?.targets[0]?.prompt).toBeUndefined();
  });

  it('is explained by gw explain', () => {
    const target = findTarget({ prompt_id: 'tale' });
    expect(target && describeTarget(target)).toContain(
      'sends the stored prompt tale in place of the prompt of the client',
    );
  });
});
