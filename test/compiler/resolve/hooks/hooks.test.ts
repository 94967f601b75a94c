import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { CheckHook } from '../../../../schema/plan/plan.ts';
import { leavesIn, toCodes } from '../../../support/plans/compiled.ts';

const readHooks = (settings: JsonObject): readonly CheckHook[] =>
  leavesIn({ provider: '@openai-prod', override_params: { stream: false }, ...settings }).flatMap(({ stages }) =>
    stages.flatMap((stage) => (stage.kind === 'input-checks' || stage.kind === 'output-checks' ? stage.hooks : [])),
  );

const parameters = { words: ['x'], operator: 'none' };

describe('guardrails', () => {
  it('are a short form of hooks', () => {
    const [hook] = readHooks({
      output_guardrails: [
        {
          contains: parameters,
          'test.CHOOSY': { share: 0.5 },
          deny: true,
          on_success: { deny: true, feedback: { value: 5 } },
        },
      ],
    });
    expect(hook).toEqual({
      id: 'output_guardrail_1',
      type: 'guardrail',
      async: false,
      deny: { onFail: true, onSuccess: true },
      feedback: { onSuccess: { value: 5 } },
      checks: [
        { check: 'default.contains', id: 'default.contains', parameters, failOnError: false },
        {
          check: 'test.choosy',
          id: 'test.choosy',
          parameters: { share: 0.5, timeout: 3000 },
          failOnError: false,
          timeoutMs: 3000,
        },
      ],
    });
  });

  it('deny if either of their "deny" settings is true', () => {
    const deny = (settings: JsonObject) =>
      readHooks({ output_guardrails: [{ contains: parameters, ...settings }] })[0]?.deny.onFail;
    expect([deny({}), deny({ deny: true }), deny({ on_fail: { deny: true } })]).toEqual([false, true, true]);
  });

  it('may run one check twice under different ids', () => {
    const [hook] = readHooks({
      input_guardrails: [{ first: { ...parameters, id: 'default.contains' }, contains: { ...parameters, id: 'mine' } }],
    });
    expect(hook?.checks.map(({ check, id }) => [check, id])).toEqual([
      ['default.contains', 'mine'],
      ['default.contains', 'default.contains'],
    ]);
  });

  it('can be saved ones, named by slug', () => {
    const [hook] = readHooks({ input_guardrails: ['no-secrets'] });
    expect(hook).toMatchObject({ id: 'no-secrets', deny: { onFail: true }, checks: [{ check: 'default.contains' }] });
  });

  it('can be saved ones, named by an object whose id is the slug and whose members override the saved ones', () => {
    for (const field of ['input_guardrails', 'output_guardrails']) {
      const [plain] = readHooks({ [field]: [{ id: 'no-secrets' }] });
      expect(plain).toEqual(readHooks({ [field]: ['no-secrets'] })[0]);
      const [own] = readHooks({ [field]: [{ id: 'no-secrets', async: true, on_fail: { feedback: { value: 1 } } }] });
      expect(own).toEqual({ ...plain, async: true, feedback: { onFail: { value: 1 } } });
    }
    expect(toCodes({ provider: '@openai-prod', input_guardrails: [{ id: 'no-secrts' }] })).toEqual([
      'unknown-guardrail',
    ]);
    expect(toCodes({ provider: '@openai-prod', input_guardrails: [{ id: 'mine', contains: parameters }] })).toEqual([]);
    expect(toCodes({ provider: '@openai-prod', input_guardrails: [{ id: 'mine', contains: 5 }] })).toEqual([
      'wrong-type',
    ]);
  });

  it("accept the settings common to all checks next to a check's own parameters", () => {
    const [hook] = readHooks({ input_guardrails: [{ contains: { ...parameters, failOnError: true, timeout: 50 } }] });
    expect(hook?.checks[0]).toMatchObject({ failOnError: true, timeoutMs: 50, parameters });
    expect(hook?.checks[0]?.parameters).not.toHaveProperty('timeout');
  });

  it('are reported if they have no checks, unless a check in them was invalid', () => {
    const codes = (guardrail: JsonObject) => toCodes({ provider: '@openai-prod', input_guardrails: [guardrail] });
    expect(codes({ deny: true })).toEqual(['no-effect']);
    expect(codes({ 'default.contains': 5 })).toEqual(['wrong-type']);
  });
});

describe('hooks', () => {
  const checks = [{ id: 'default.contains', parameters }];

  it('on requests may deny on failure or success, but those on answers never deny', () => {
    const [before] = readHooks({ before_request_hooks: [{ id: 'h', checks, on_success: { deny: true } }] });
    expect(before?.deny).toEqual({ onFail: false, onSuccess: true });
    const [after] = readHooks({ after_request_hooks: [{ id: 'h', checks, async: true }] });
    expect(after).toMatchObject({ async: true, deny: { onFail: false, onSuccess: false } });
    expect(
      toCodes({ provider: '@openai-prod', after_request_hooks: [{ id: 'h', checks, on_fail: { deny: true } }] }),
    ).toContain('unknown-key');
  });

  it('without checks refer to a saved guardrail, whose "deny" applies only to requests', () => {
    expect(readHooks({ before_request_hooks: [{ id: 'no-secrets' }] })[0]?.deny.onFail).toBe(true);
    expect(readHooks({ after_request_hooks: [{ id: 'no-secrets' }] })[0]?.deny.onFail).toBe(false);
    expect(toCodes({ before_request_hooks: [{ id: 'nothing' }] })).toEqual(['unknown-guardrail']);
  });
});

describe('parameters of checks', () => {
  const codes = (choosy: JsonObject) =>
    toCodes({ provider: '@openai-prod', input_guardrails: [{ 'test.choosy': choosy }] });

  it.each([
    [{ words: 'a' }, []],
    [{ words: ['a'] }, []],
    [{ words: 5 }, ['wrong-type']],
    [{ words: [] }, ['wrong-size']],
    [{ words: [5] }, ['wrong-type']],
    [{ rule: '(' }, ['invalid-regex']],
    [{ link: 'not a link' }, ['wrong-form']],
    [{ share: 1.5 }, ['out-of-range']],
    [{ nested: { deeep: true } }, ['unknown-key']],
    [{ failOnError: 'yes' }, ['wrong-type']],
    [{ timeout: 'soon' }, ['wrong-type']],
  ])('%j lead to the diagnostics %j', (choosy, expected) => {
    expect(codes(choosy as JsonObject)).toEqual(expected);
  });

  it('get their default values', () => {
    const [hook] = readHooks({ input_guardrails: [{ 'test.choosy': { nested: {} } }] });
    expect(hook?.checks[0]?.parameters).toEqual({ nested: { deep: true }, timeout: 3000 });
  });
});

describe('a hook that names a saved guardrail', () => {
  it('keeps its own type, and its settings override the saved ones', () => {
    const feedback = { value: -5 };
    const [saved] = readHooks({ input_guardrails: ['no-secrets'] });
    const [named] = readHooks({
      before_request_hooks: [{ id: 'no-secrets', type: 'mutator', on_fail: { deny: true, feedback } }],
    });
    expect(named).toMatchObject({
      id: saved?.id,
      type: 'mutator',
      deny: { onFail: true },
      feedback: { onFail: feedback },
      checks: saved?.checks,
    });
    const [after] = readHooks({ after_request_hooks: [{ id: 'no-secrets' }] });
    expect(after).toMatchObject({ type: 'guardrail', deny: { onFail: false, onSuccess: false } });
  });
});
