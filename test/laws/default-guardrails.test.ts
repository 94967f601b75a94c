import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../compiler/compile.ts';
import { withDefaultHooks } from '../../compiler/with-default-hooks.ts';
import { defineGuardrail, pass } from '../../plugins/sdk/guardrail/guardrail.ts';
import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import { nothingSaved, type Saved } from '../../schema/config/saved.ts';
import { hashText } from '../../schema/json/canonical.ts';
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts';
import type { CompileResult, RoutingPlan } from '../../schema/plan/plan.ts';
import { config } from '../support/arbitraries/config.ts';
import { scriptedCheck } from '../support/arbitraries/scripted.ts';
import { scriptedCatalogue } from '../support/arbitraries/scripted-catalogue.ts';
import { writeOut } from '../support/plans/write-out.ts';
import { dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';

/** A check from a plugin that is not built in. It has a secret parameter and can request another attempt. */
const asking = defineGuardrail({
  id: 'test.asking',
  parameters: { type: 'object', properties: { token: { type: 'string', format: 'secret' } } },
  retries: () => true,
  create: () => () => pass(),
});

const catalogue: Catalogue = {
  ...scriptedCatalogue,
  checks: new Map([...scriptedCatalogue.checks, [asking.id, asking]]),
  owners: new Map([[asking, { name: 'asking', integrity: () => hashText('its files') }]]),
};

const saved: Saved = {
  ...nothingSaved,
  guardrails: {
    denying: { [scriptedCheck]: { hook: 'denying' }, deny: true },
    background: { [scriptedCheck]: { hook: 'background' }, async: true },
    asking: { 'test.asking': { token: '${saved:guardrails/asking/checks}' }, on_success: { deny: true } },
  },
};

const names = fc.uniqueArray(fc.constantFrom(...Object.keys(saved.guardrails)), { maxLength: 3 });

/** The guardrails that run by default: at least one. */
const defaults = fc
  .record({ input: names, output: names })
  .filter(({ input, output }) => input.length + output.length > 0);

interface Defaults {
  readonly input: readonly string[];
  readonly output: readonly string[];
}

const toPlan = ({ plan, diagnostics }: CompileResult): RoutingPlan => {
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics.filter(({ severity }) => severity === 'error')));
  return plan;
};

const compiled = (source: JsonObject): RoutingPlan =>
  toPlan(compile(JSON.stringify(source), { trust: 'operator', catalogue, saved }));

/** Returns an object with these guardrails after its own. */
const appended = (own: JsonObject, { input, output }: Defaults): JsonObject => {
  const behind = (member: 'input_guardrails' | 'output_guardrails', added: readonly string[]): JsonObject => {
    const listed = own[member];
    return added.length === 0 ? {} : { [member]: [...(Array.isArray(listed) ? listed : []), ...added] };
  };
  return { ...own, ...behind('input_guardrails', input), ...behind('output_guardrails', output) };
};

/** Returns the config with the default guardrails appended to the list of each leaf, as if written by hand. */
const guardedByHand = (written: JsonObject, added: Defaults): JsonObject =>
  Array.isArray(written.targets)
    ? { ...written, targets: written.targets.filter(isJsonObject).map((target) => guardedByHand(target, added)) }
    : appended(written, added);

describe('default guardrails', { timeout: slowLawMs }, () => {
  it('produce the same plan as a config that lists them last at every leaf', () => {
    fc.assert(
      fc.property(config, defaults, (source, added) => {
        const guarded = withDefaultHooks(compiled(source), compiled(appended({}, added)), catalogue);
        expect(guarded).toEqual(compiled(guardedByHand(writeOut(source), added)));
      }),
      dearLawRuns,
    );
  });

  it('keep their order whether they are added together or one after another', () => {
    fc.assert(
      fc.property(config, defaults, defaults, (source, first, second) => {
        const toHooks = (added: Defaults): RoutingPlan => compiled(appended({}, added));
        const both = { input: [...first.input, ...second.input], output: [...first.output, ...second.output] };
        const plan = compiled(source);
        expect(withDefaultHooks(withDefaultHooks(plan, toHooks(first), catalogue), toHooks(second), catalogue)).toEqual(
          withDefaultHooks(plan, toHooks(both), catalogue),
        );
      }),
      dearLawRuns,
    );
  });
});
