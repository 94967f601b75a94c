import type { TenantId } from '../../sdk/exchange.ts';

/** What jobs read of the files that the gateway keeps. */
export interface OwnFiles {
  find(tenant: TenantId, id: string): Promise<{ readonly filename: string; readonly bytes: number } | undefined>;
  read(tenant: TenantId, id: string): AsyncIterable<Uint8Array>;
}

/** Whether an id is that of a file that the gateway keeps. */
export const isOwnFile = (id: string): boolean => id.startsWith('gw-file-');
