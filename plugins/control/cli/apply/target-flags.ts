import type { FlagSpec } from '../../kernel/resource/api-command.ts';
import { accessFlags } from '../client/gateway-access.ts';

/** The flags that name the gateway. The folder says which workspaces are meant. */
export const targetFlags: { readonly [flag: string]: FlagSpec } = Object.fromEntries(
  Object.entries(accessFlags).filter(([name]) => name !== 'workspace'),
);
