import type { IrHook } from './ir-hook.ts';
import type { Settings } from './ir-node.ts';

/** Returns the hooks of some settings: those on requests, then those on answers. */
export const hooksOf = ({ inputHooks, outputHooks }: Settings): readonly IrHook[] => [
  ...(inputHooks?.value ?? []),
  ...(outputHooks?.value ?? []),
];
