import type { Config } from '../../schema/generated/config.ts';
import type { JsonObject } from '../../schema/json.ts';
import { childPointer, type JsonPointer } from '../../schema/pointer.ts';
import { buildHooks } from './build-hooks.ts';
import type { CompileContext } from './compile-context.ts';
import type { Settings } from './ir-node.ts';

type Plain = 'retry' | 'cache' | 'cb_config' | 'forward_headers' | 'custom_host' | 'strict_llmv_compliance';

/** A setting with its place, where the config has it. */
const stated = <Field extends keyof Settings, Value>(field: Field, pointer: JsonPointer, value: Value | undefined) =>
  value === undefined ? {} : { [field]: { value, pointer: childPointer(pointer, field) } };

const plainFields: readonly Plain[] = [
  'retry',
  'cache',
  'cb_config',
  'forward_headers',
  'custom_host',
  'strict_llmv_compliance',
];

/** What a config itself says of what targets inherit. A time-out of 0 says nothing, and neither do empty lists of hooks. */
export const buildSettings = (config: Config, pointer: JsonPointer, context: CompileContext): Settings => {
  const settings: Settings = Object.assign(
    {},
    ...plainFields.map((field) => stated(field, pointer, config[field])),
    stated('override_params', pointer, config.override_params as JsonObject | undefined),
    stated('request_timeout', pointer, config.request_timeout === 0 ? undefined : config.request_timeout),
  );
  const inputHooks = buildHooks('input', config, pointer, context);
  const outputHooks = buildHooks('output', config, pointer, context);
  return {
    ...settings,
    ...(inputHooks.length === 0 ? {} : { inputHooks: { value: inputHooks, pointer } }),
    ...(outputHooks.length === 0 ? {} : { outputHooks: { value: outputHooks, pointer } }),
  };
};
