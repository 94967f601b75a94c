import type { DefaultGuardrails } from '../../plugins/sdk/control-plane/tenants.ts';
import type { Saved } from '../../schema/config/saved.ts';
import { errorReport, GatewayError } from '../../schema/errors/errors.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { fromPointer } from '../../schema/json/pointer.ts';
import type { CompileResult, RoutingPlan } from '../../schema/plan/plan.ts';

/** The default guardrails of a tenant as the checks of a plan without a provider, with their literal secrets. */
export interface DefaultChecks {
  readonly plan: RoutingPlan;
  readonly secrets: readonly string[];
}

/** Why default guardrails cannot be used, and the names of those concerned. */
export interface UnusableDefaults {
  readonly guardrails: readonly string[];
  /** A sentence. */
  readonly reason: string;
}

/** Returns a config that has only default guardrails. */
const toText = ({ input, output }: DefaultGuardrails): string =>
  JSON.stringify({
    ...(input.length === 0 ? {} : { input_guardrails: input }),
    ...(output.length === 0 ? {} : { output_guardrails: output }),
  });

const unusable = ({ diagnostics }: CompileResult, { input, output }: DefaultGuardrails): UnusableDefaults => {
  const error = diagnostics.find(({ severity }) => severity === 'error');
  const [member, index] = error === undefined ? [] : fromPointer(error.pointer);
  const names = member === 'output_guardrails' ? output : input;
  const reason = [error?.message, error?.hint].filter((text) => text !== undefined && text !== '').join(' ');
  const found = names[Number(index)];
  return {
    guardrails: found === undefined ? [...input, ...output] : [found],
    reason: reason || 'The compiler produced no plan.',
  };
};

/** Compiles the default guardrails of a tenant with the compiler for what it has saved. */
export const compileDefaults = async (
  defaults: DefaultGuardrails,
  compile: (text: string, name: string) => CompileResult | Promise<CompileResult>,
): Promise<DefaultChecks | UnusableDefaults> => {
  const result = await compile(toText(defaults), 'default guardrails');
  const { plan, secrets } = result;
  return plan === undefined ? unusable(result, defaults) : { plan, secrets };
};

/** Returns the name of a guardrail for people, as its results show it, because a tenant's defaults are listed by id. */
const shownName = (name: string, saved: Saved['guardrails']): string => {
  const id = lookUp(saved, name)?.id;
  return typeof id === 'string' ? id : name;
};

/** Returns the `GatewayError` `default-guardrail-not-usable`. `saved` is what the tenant can name. */
export const defaultsNotUsable = (
  { guardrails, reason }: UnusableDefaults,
  saved: Saved['guardrails'],
  options?: ErrorOptions,
): GatewayError => {
  const names = new Set(guardrails.map((name) => shownName(name, saved)));
  const guardrail = [...names].join(', ');
  return new GatewayError(errorReport('default-guardrail-not-usable', { guardrail, reason }), options);
};
