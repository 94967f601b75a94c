import type { OptionSpec } from '../../../../schema/command-help/command-spec.ts';
import { accessFlags } from '../client/gateway-access.ts';

/** The flags that name the gateway. The folder determines the workspaces. */
export const targetFlags: { readonly [flag: string]: OptionSpec } = Object.fromEntries(
  Object.entries(accessFlags).filter(([name]) => name !== 'workspace'),
);
