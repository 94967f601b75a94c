import type { Exchange } from '../../sdk/exchange/exchange.ts';
import type { Occurrence } from '../messages/alert.ts';

type Whose = Pick<Occurrence, 'tenant' | 'organisation' | 'workspace'>;

/** Returns the owner of a request. Keys of the gateway file have a tenant, but no workspace. */
export const toOwner = ({ principal: { tenant, organisation, workspace } }: Pick<Exchange, 'principal'>): Whose => ({
  tenant: workspace ?? tenant,
  ...(organisation === undefined ? {} : { organisation }),
  ...(workspace === undefined ? {} : { workspace }),
});

/** Returns the workspace in words, to append to another name. */
export const ofWorkspace = ({ workspace }: Whose): string =>
  workspace === undefined ? '' : ` in workspace ${workspace}`;
