import { describe, expect, it } from 'vitest';
import { emitPlanJson } from '../../../compiler/emit/emit-plan-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../schema/json/pointer.ts';
import { withValues } from '../../../schema/json/with-values.ts';
import { hashPlan } from '../../../schema/plan/hash-plan.ts';
import { loadPlan } from '../../../schema/plan/load-plan.ts';
import { PlanLoadError } from '../../../schema/plan/plan-load-error.ts';
import { samplePlan, sampleTarget } from '../../support/plans/sample-plan.ts';

const sealed = (changes: object): object => {
  const plan = { ...samplePlan(), ...changes };
  return { ...plan, hash: hashPlan(plan) };
};

const refusal = (source: unknown): string => {
  try {
    loadPlan(source);
  } catch (error) {
    if (error instanceof PlanLoadError) return error.message;
    throw error;
  }
  return 'loaded';
};

describe('loading a plan', () => {
  it('returns what was emitted', () => {
    expect(loadPlan(emitPlanJson(samplePlan()))).toEqual(samplePlan());
  });

  it('accepts the group features of this build', () => {
    const features = ['balance', 'hedge', 'require', 'sticky'];
    expect(refusal(sealed({ requires: { ...samplePlan().requires, features } }))).toBe('loaded');
  });

  it('accepts a value as well as a text', () => {
    expect(loadPlan(samplePlan())).toEqual(samplePlan());
  });

  it.each([
    ['text that is not JSON', '{"format":1', 'it is not JSON'],
    ['a config', { provider: 'openai' }, 'has no "format"'],
    ['a list', [], 'has no "format"'],
    ['another format', sealed({ format: 2 }), 'format 2, and this build runs format 1'],
    [
      'a feature of a later build',
      sealed({ requires: { ...samplePlan().requires, features: ['later', 'retry', 'shadow'] } }),
      '"later" and "shadow", which this build does not know',
    ],
    ['a plan without a root', sealed({ root: undefined }), 'at /root: an object belongs here'],
    [
      'a target that does not exist',
      sealed({ root: { ...samplePlan().root, target: 9 } }),
      '/root/target: a whole number',
    ],
    [
      'a group with an unknown requirement',
      sealed({
        root: { kind: 'fallback', path: '', on: { kind: 'not-2xx' }, require: 'luck', branches: [samplePlan().root] },
      }),
      '/root/require: "capabilities" belongs here',
    ],
    [
      'a setting of a target with the wrong type',
      sealed({ targets: [{ ...sampleTarget('main'), timeoutMs: '30s' }] }),
      '/targets/0/timeoutMs: a number belongs here',
    ],
    [
      'a target without a required setting',
      sealed({ targets: [{ ...sampleTarget('main'), strict: undefined }] }),
      '/targets/0/strict: true or false belongs here',
    ],
    [
      'a plan whose content was changed',
      { ...samplePlan(), bounds: { calls: 9, waitMs: 9, targets: [] } },
      'was changed after',
    ],
  ])('rejects %s with an explanation', (_, source, words) => {
    expect(refusal(source)).toContain(words);
  });

  it('rejects, at every place, an object that cannot be converted to a string', () => {
    const visit = (value: Json, at: JsonPointer): void => {
      const changed = withValues(plan, new Map([[at, { toString: [1], valueOf: [1] }]]));
      expect(refusal(isJsonObject(changed) ? { ...changed, hash: hashPlan(changed as never) } : changed)).not.toBe('');
      if (typeof value === 'object' && value !== null)
        for (const [name, member] of Object.entries(value)) visit(member as Json, childPointer(at, name));
    };
    const plan = { ...samplePlan() } as unknown as JsonObject;
    visit(plan, rootPointer);
  });

  it('rejects stages in another order', () => {
    const root = samplePlan().root;
    const stages = root.kind === 'leaf' ? [...root.stages].reverse() : [];
    expect(stages.length).toBeGreaterThan(1);
    expect(refusal(sealed({ root: { ...root, stages } }))).toContain(
      '/root/stages: the stages are not in the order breaker',
    );
  });

  it('rejects a stage of a later build', () => {
    expect(refusal(sealed({ root: { ...samplePlan().root, stages: [{ kind: 'hedge' }] } }))).toContain(
      'this build knows no stage "hedge"',
    );
  });
});
