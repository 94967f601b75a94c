import type { Config } from '../../../schema/generated/config.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { CompileContext } from '../context/compile-context.ts';
import type { IrHook } from '../tree/ir-hook.ts';
import { buildGuardrail } from './build-guardrail.ts';
import { buildHook } from './build-hook.ts';

const fields = {
  input: { hooks: 'before_request_hooks', guardrails: 'input_guardrails' },
  output: { hooks: 'after_request_hooks', guardrails: 'output_guardrails' },
} as const;

/**
 * Builds a config's own hooks of one phase, guardrails after hooks, as one list. A target's own list replaces an inherited list
 * completely.
 */
export const buildHooks = (
  phase: CheckPhase,
  config: Config,
  pointer: JsonPointer,
  context: CompileContext,
): readonly IrHook[] => {
  const { hooks, guardrails } = fields[phase];
  const { sound } = context;
  return [
    ...sound.items(config[hooks], childPointer(pointer, hooks)).map((item) => buildHook(item, phase, context)),
    ...sound
      .items(config[guardrails], childPointer(pointer, guardrails))
      .map((item) => buildGuardrail(item, phase, context)),
  ].filter((hook) => hook !== undefined);
};
