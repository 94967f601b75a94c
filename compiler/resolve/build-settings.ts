import type { Config } from '../../schema/generated/config.ts';
import { childPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import type { CheckPhase } from '../../schema/trail/trail.ts';
import type { CompileContext } from './context/compile-context.ts';
import { buildGuardrail } from './hooks/build-guardrail.ts';
import { buildHook } from './hooks/build-hook.ts';
import { inheritedRows } from './tree/inheritance.ts';
import type { IrHook } from './tree/ir-hook.ts';
import type { Settings } from './tree/ir-node.ts';

const hookFields = {
  input: { hooks: 'before_request_hooks', guardrails: 'input_guardrails' },
  output: { hooks: 'after_request_hooks', guardrails: 'output_guardrails' },
} as const;

/**
 * Builds a config's own hooks of one phase, guardrails after hooks, as one list. A target's own list replaces an inherited list
 * completely.
 */
const buildHooks = (
  phase: CheckPhase,
  config: Config,
  pointer: JsonPointer,
  context: CompileContext,
): readonly IrHook[] => {
  const { hooks, guardrails } = hookFields[phase];
  const { sound } = context;
  return [
    ...sound.items(config[hooks], childPointer(pointer, hooks)).map((item) => buildHook(item, phase, context)),
    ...sound
      .items(config[guardrails], childPointer(pointer, guardrails))
      .map((item) => buildGuardrail(item, phase, context)),
  ].filter((hook) => hook !== undefined);
};

/** Builds the settings that a config itself passes to its targets. Empty lists of hooks have no effect. */
export const buildSettings = (config: Config, pointer: JsonPointer, context: CompileContext): Settings => {
  const stated = inheritedRows.flatMap(({ field, unset }) => {
    const value = field in config ? config[field as keyof Config] : undefined;
    return value === undefined || value === unset ? [] : [[field, { value, pointer: childPointer(pointer, field) }]];
  });
  const inputHooks = buildHooks('input', config, pointer, context);
  const outputHooks = buildHooks('output', config, pointer, context);
  return {
    // Each field has the config's own value, and therefore the type that `Settings` declares.
    ...(Object.fromEntries(stated) as Settings),
    ...(inputHooks.length === 0 ? {} : { inputHooks: { value: inputHooks, pointer } }),
    ...(outputHooks.length === 0 ? {} : { outputHooks: { value: outputHooks, pointer } }),
  };
};
