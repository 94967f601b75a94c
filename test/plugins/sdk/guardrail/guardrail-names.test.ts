import { describe, expect, it } from 'vitest';
import { defineGuardrail, pass } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { buildCatalogue } from '../../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { findStage } from '../../../../schema/plan/stages.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const check = (id: string, aliases: readonly string[] = []) =>
  defineGuardrail({
    id,
    aliases,
    parameters: { type: 'object', properties: { ms: { type: 'integer', default: 7 } } },
    timeoutMs: ({ ms }) => ms,
    create: () => () => pass(),
  });

const plugin = definePlugin({ name: 'a', guardrails: [check('acme.tidy', ['acme.isTidy'])] });

const findCalls = (...checks: readonly object[]) => {
  const { plan } = runConfig(
    {
      provider: 'openai',
      api_key: '${env:KEY}',
      before_request_hooks: [{ id: 'h', type: 'guardrail', checks: JSON.parse(JSON.stringify(checks)) }],
    },
    { upstream: () => stubAnswer({}), plugins: [plugin] },
  );
  if (plan.root.kind !== 'leaf') throw new Error('The config has one target.');
  return findStage(plan.root, 'input-checks')?.hooks[0].checks;
};

describe('a check', () => {
  it('can be named by an alias in any letter case, and plans contain its id', () => {
    expect(findCalls({ id: 'acme.ISTIDY', parameters: {} }, { id: 'Acme.tidy', parameters: {} })).toMatchObject([
      { check: 'acme.tidy' },
      { check: 'acme.tidy' },
    ]);
    expect([...buildCatalogue([plugin]).checks.keys()]).toEqual(['acme.tidy', 'acme.istidy']);
  });

  it('cannot share a name with another check', () => {
    const other = definePlugin({ name: 'b', guardrails: [check('ACME.isTidy')] });
    expect(() => buildCatalogue([plugin, other])).toThrow('Two plugins provide the check "acme.istidy".');
  });

  it('can have its own default time-out, which the config can override', () => {
    expect(
      findCalls(
        { id: 'acme.tidy', parameters: {} },
        { id: 'acme.tidy', parameters: { ms: 9 } },
        { id: 'acme.tidy', parameters: { ms: 9, timeout: 11 } },
      ),
    ).toMatchObject([{ timeoutMs: 7 }, { timeoutMs: 9 }, { timeoutMs: 11 }]);
  });
});
