import { describe, expect, it } from 'vitest';
import { inheritance, inheritedRows } from '../../../../compiler/resolve/tree/inheritance.ts';
import { configKeys } from '../../../../schema/generated/config-keys.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { targetSettingRows } from '../../../../schema/plan/target-settings.ts';
import { leavesIn, readTargets } from '../../../support/plans/compiled.ts';

const inside = (parent: JsonObject, target: JsonObject): JsonObject => ({
  ...parent,
  strategy: { mode: 'fallback' },
  targets: [{ provider: 'openai', api_key: '${env:KEY}', ...target }],
});

const check = (word: string): JsonObject => ({ id: word, 'default.contains': { words: [word], operator: 'none' } });
const hook = (word: string): JsonObject => ({
  id: word,
  checks: [{ id: 'default.contains', parameters: { words: [word], operator: 'none' } }],
});

const hookIds = (config: JsonObject, kind: 'input-checks' | 'output-checks'): readonly string[] =>
  leavesIn(config).flatMap(({ stages }) =>
    stages.flatMap((stage) => (stage.kind === kind ? stage.hooks.map(({ id }) => id) : [])),
  );

describe('inheritance', () => {
  it('is defined for every field of a config', () => {
    const fields = configKeys[''] ?? [];
    expect(Object.keys(inheritance).sort()).toEqual([...fields, 'inputHooks', 'outputHooks'].sort());
  });

  it('derives each plain setting of a target from exactly one field, except those only a saved provider has', () => {
    const ofConfigs = targetSettingRows.filter(
      ({ name }) => !['allowedModels', 'chosenModels', 'prices', 'prompt', 'tls'].includes(name),
    );
    for (const { name } of ofConfigs)
      expect([name, inheritedRows.filter(({ becomes }) => becomes === name).length]).toEqual([name, 1]);
  });

  it("merges override_params member by member, and the child's members win", () => {
    const config = inside(
      { override_params: { model: 'a', seed: 1, stop: { x: 1 } } },
      { override_params: { model: 'b', stop: {} } },
    );
    expect(readTargets(config)[0]?.params.override).toEqual({ model: 'b', seed: 1, stop: {} });
  });

  it('replaces a retry as a whole', () => {
    const parent = { retry: { attempts: 3, on_status_codes: [500], use_retry_after_headers: true } };
    expect(leavesIn(inside(parent, { retry: { attempts: 1 } }))[0]?.stages).toEqual([
      { kind: 'retry', attempts: 1, on: [429, 500, 502, 503, 504, 529], useRetryAfter: false },
    ]);
    expect(leavesIn(inside(parent, {}))[0]?.stages).toMatchObject([{ attempts: 3, on: [500] }]);
    expect(leavesIn(inside(parent, { retry: { attempts: 0 } }))[0]?.stages).toEqual([]);
  });

  it('treats a time-out of 0 as none', () => {
    expect(readTargets(inside({ request_timeout: 100 }, { request_timeout: 0 }))[0]?.timeoutMs).toBe(100);
    expect(readTargets(inside({ request_timeout: 100 }, { request_timeout: 900 }))[0]?.timeoutMs).toBe(900);
    expect(readTargets(inside({}, { request_timeout: 0 }))[0]).not.toHaveProperty('timeoutMs');
  });

  it('passes false down to the leaves, and lets a child override it', () => {
    expect(readTargets(inside({ strict_llmv_compliance: false }, {}))[0]?.strict).toBe(false);
    expect(readTargets(inside({ strict_llmv_compliance: false }, { strict_llmv_compliance: true }))[0]?.strict).toBe(
      true,
    );
    expect(readTargets(inside({}, {}))[0]?.strict).toBe(true);
  });

  it('replaces forwarded headers, even with an empty list', () => {
    expect(readTargets(inside({ forward_headers: ['x-a'] }, { forward_headers: [] }))[0]?.headers.forward).toEqual([]);
    expect(readTargets(inside({ forward_headers: ['X-A', 'x-gw-b', 'Host'] }, {}))[0]?.headers.forward).toEqual([
      'X-A',
    ]);
  });

  it('treats hooks and guardrails of a phase as one unit', () => {
    const parent = { before_request_hooks: [hook('ph')], input_guardrails: [check('pg')] };
    expect(hookIds(inside(parent, {}), 'input-checks')).toEqual(['ph', 'pg']);
    expect(hookIds(inside(parent, { input_guardrails: [check('cg')] }), 'input-checks')).toEqual(['cg']);
    expect(hookIds(inside(parent, { before_request_hooks: [hook('ch')] }), 'input-checks')).toEqual(['ch']);
    expect(hookIds(inside(parent, { before_request_hooks: [] }), 'input-checks')).toEqual(['ph', 'pg']);
    const other = { after_request_hooks: [hook('oh')], override_params: { stream: false } };
    expect(hookIds(inside(parent, other), 'input-checks')).toEqual(['ph', 'pg']);
    expect(hookIds(inside(parent, other), 'output-checks')).toEqual(['oh']);
  });

  it('does not pass on settings that belong to a single config', () => {
    const parent = { name: 'all', override_params: { n: 1 } };
    expect(readTargets(inside(parent, {}))[0]).toMatchObject({ id: 'openai#targets.0', settings: {} });
  });
});
