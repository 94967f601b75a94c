import type { Overload, OverloadStatus } from '../../../plugins/sdk/overload/overload.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';

export interface OverloadOptions {
  readonly settings: NonNullable<GatewayFile['overload']>;
  /** Returns the fraction of the memory for bodies that is in use, from 0 to 1. */
  readonly heldMemory: () => number;
}

/** The overload protection of one gateway. It ends with the hook `close` of its plugin. */
export interface OpenedOverload extends Overload {
  readonly plugin: Plugin;
  readonly status: () => OverloadStatus;
  /** Returns how many requests were refused, by reason and priority. */
  readonly counts: () => readonly { readonly reason: string; readonly priority: string; readonly count: number }[];
}
