import { describe, expect, it } from 'vitest';
import { compile } from '../../../../compiler/compile.ts';
import { renderDiagnostic } from '../../../../compiler/diagnostic-text/render.ts';
import { emitPlanModule } from '../../../../compiler/emit/emit-plan-module.ts';
import { builtinPlugins } from '../../../../plugins/builtin.ts';
import { defineGuardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { buildCatalogue } from '../../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { nothingSaved } from '../../../../schema/config/saved.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { asking, checkedConfig } from '../../../support/plans/checked-config.ts';

/** A plugin with a check that records the parameters it was created with. */
const remote = (created: JsonObject[] = []) =>
  definePlugin({
    name: 'remote',
    guardrails: [
      defineGuardrail({
        id: 'remote.judge',
        parameters: {
          type: 'object',
          properties: {
            dsn: { type: 'string', format: 'secret' },
            headers: { type: 'object', additionalProperties: { type: 'string', format: 'secret' } },
            url: { type: 'string' },
          },
        },
        create: (parameters) => {
          if (parameters.url === 'nowhere') throw new Error(`no judge for ${parameters.dsn}`);
          created.push(parameters as JsonObject);
          return ({ text }) => {
            if (text === 'throw') throw new Error(`Refused at ${parameters.url} with ${parameters.dsn}.`);
            if (text === 'echo')
              return {
                pass: true,
                data: { seen: [`It was ${parameters.dsn}.`, 1, null] },
                log: parameters.dsn ?? null,
              };
            return { pass: true, data: {} };
          };
        },
      }),
    ],
  });

const guarded = (parameters: JsonObject, provider: JsonObject = { provider: 'echo' }): JsonObject => ({
  ...provider,
  input_guardrails: [{ 'remote.judge': parameters }],
});

const compiled = (config: JsonObject, trust: 'operator' | 'caller' = 'operator', saved = nothingSaved) =>
  compile(JSON.stringify(config), { trust, saved, catalogue: buildCatalogue([...builtinPlugins, remote()]) });

describe('a secret of a check', () => {
  it('is a reference in a file: the plan requires it and contains an empty text in its place', async () => {
    const { plan, diagnostics } = compiled(
      guarded({ dsn: '${env:JUDGE}', headers: { 'x/y': '${env:OTHER}' }, url: 'u' }),
    );
    expect(diagnostics).toEqual([]);
    expect(plan?.requires.secrets).toEqual(['${env:JUDGE}', '${env:OTHER}']);
    expect(JSON.stringify(plan?.root)).toContain('"parameters":{"dsn":"","headers":{"x/y":""},"url":"u"}');
    expect(plan && (await emitPlanModule(plan))).toMatch(
      /interface Secrets \{\s*readonly JUDGE: string;\s*readonly OTHER: string;/,
    );
  });

  it('is an error if it is written out in a file, and the error does not show it', () => {
    const config = guarded({ dsn: 'sk-1234567890' });
    const { plan, diagnostics } = compiled(config);
    expect(plan).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: 'inline-secret', pointer: '/input_guardrails/0/remote.judge/dsn', severity: 'error' },
    ]);
    for (const diagnostic of diagnostics)
      expect(renderDiagnostic(diagnostic, { text: JSON.stringify(config) })).not.toContain('sk-1234');
    expect(compiled(guarded({ dsn: '${env:NOT-A-NAME}' })).diagnostics).toMatchObject([
      { code: 'malformed-reference' },
    ]);
  });

  it('is taken out of the config of a request, where it cannot be a reference', () => {
    const { plan, secrets } = compiled(guarded({ dsn: 'sk-1234567890' }), 'caller');
    expect(secrets).toEqual(['sk-1234567890']);
    expect(JSON.stringify(plan)).not.toContain('sk-1234567890');
    const other = compiled(guarded({ dsn: 'sk-0987654321' }), 'caller');
    expect(other.plan?.hash).toBe(plan?.hash);
    expect(compiled(guarded({ dsn: '${env:JUDGE}' }), 'caller').diagnostics).toMatchObject([
      { code: 'reference-not-allowed' },
    ]);
  });

  it('is the operator’s if it is part of a saved guardrail, whoever names the guardrail', () => {
    const saved = { ...nothingSaved, guardrails: { judge: { 'remote.judge': { dsn: '${env:JUDGE}' } } } };
    const named: JsonObject = { provider: 'echo', input_guardrails: ['judge'] };
    for (const trust of ['operator', 'caller'] as const) {
      const { plan, secrets, diagnostics } = compiled(named, trust, saved);
      expect([diagnostics, secrets]).toEqual([[], []]);
      expect(plan?.requires.secrets).toEqual(['${env:JUDGE}']);
    }
  });

  it('is passed to the check once, when it is created', async () => {
    const created: JsonObject[] = [];
    const config = checkedConfig(guarded({ dsn: '${env:JUDGE}', url: 'u' }, {}), {}, { plugins: [remote(created)] });
    await config.ask(asking('a'));
    await config.ask(asking('a'));
    expect(created).toEqual([{ dsn: 'secret of env:judge', url: 'u' }]);
  });

  it('is used only for the config of the caller that provides it', async () => {
    const created: JsonObject[] = [];
    const config = checkedConfig(
      guarded({ dsn: 'sk-1234567890' }, { provider: 'openai', api_key: 'sk-own' }),
      {},
      { plugins: [remote(created)], trust: 'caller' },
    );
    const ask = (secrets: readonly string[]) => config.ask(asking('a'), { secrets });
    const [mine, theirs] = [config.secrets, config.secrets.map((text) => text.replace('sk-1234567890', 'sk-theirs'))];
    await ask(mine);
    await ask(theirs);
    await ask(mine);
    expect(created.map(({ dsn }) => dsn)).toEqual(['sk-1234567890', 'sk-theirs']);
  });

  it('is never passed to another check whose parameters are otherwise the same', async () => {
    const created: JsonObject[] = [];
    const judges = ['${env:ONE}', '${env:TWO}'].map((dsn) => ({ 'remote.judge': { dsn } }));
    const config = checkedConfig({ input_guardrails: judges }, {}, { plugins: [remote(created)] });
    await config.ask(asking('a'));
    expect(created).toEqual([{ dsn: 'secret of env:one' }, { dsn: 'secret of env:two' }]);
  });

  it('is an empty text if a request lacks it, and is shown if it is too short to be hidden', async () => {
    const created: JsonObject[] = [];
    const config = checkedConfig(
      guarded({ dsn: 'sk-1234567890' }, { provider: 'openai', api_key: 'sk-own' }),
      {},
      { plugins: [remote(created)], trust: 'caller' },
    );
    const ask = (dsn: string) =>
      config.ask(asking('echo'), {
        secrets: config.secrets.map((text) => (text === 'sk-1234567890' ? dsn : text)),
      });
    expect((await ask('short')).json).toMatchObject({
      hook_results: {
        before_request_hooks: [{ checks: [{ data: { seen: ['It was short.', 1, null] }, log: 'short' }] }],
      },
    });
    const own = config.secrets.filter((text) => text === 'sk-own');
    await config.ask(asking('a'), { secrets: own });
    expect(created).toEqual([{ dsn: 'short' }, { dsn: '' }]);
  });

  it('is not shown in an error of the check', async () => {
    const config = checkedConfig(guarded({ dsn: '${env:JUDGE}', url: 'u' }, {}), {}, { plugins: [remote()] });
    const { json } = await config.ask(asking('throw'));
    expect(json).toMatchObject({
      hook_results: { before_request_hooks: [{ checks: [{ error: { message: 'Refused at u with ….' } }] }] },
    });
  });

  it('is not shown in the error for a check that cannot be created, which names the check', () => {
    const config = guarded({ dsn: '${env:JUDGE}', url: 'nowhere' }, {});
    expect(() => checkedConfig(config, {}, { plugins: [remote()] })).toThrow(
      '"create" of the check "remote.judge" throws: no judge for ….',
    );
  });

  it('is not shown in the data and the log of the check', async () => {
    const config = checkedConfig(guarded({ dsn: '${env:JUDGE}', url: 'u' }, {}), {}, { plugins: [remote()] });
    const { json } = await config.ask(asking('echo'));
    const hidden = '*'.repeat('secret of env:judge'.length);
    expect(json).toMatchObject({
      hook_results: {
        before_request_hooks: [{ checks: [{ data: { seen: [`It was ${hidden}.`, 1, null] }, log: hidden }] }],
      },
    });
  });
});
