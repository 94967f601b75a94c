import type { Config } from '../../schema/generated/config.ts';
import { childPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import type { CompileContext } from './context/compile-context.ts';
import { buildHooks } from './hooks/build-hooks.ts';
import { inheritedRows } from './tree/inheritance.ts';
import type { Settings } from './tree/ir-node.ts';

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
