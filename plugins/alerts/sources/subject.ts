import type { Exchange } from '../../sdk/exchange/exchange.ts';
import type { Occurrence } from '../messages/alert.ts';

type Whose = Pick<Occurrence, 'tenant' | 'organisation' | 'workspace'>;

/** The owner of a request. Keys of the gateway file have a tenant, and no workspace. */
export const toWhose = ({ principal: { tenant, organisation, workspace } }: Pick<Exchange, 'principal'>): Whose => ({
  tenant: workspace ?? tenant,
  ...(organisation === undefined ? {} : { organisation }),
  ...(workspace === undefined ? {} : { workspace }),
});

/** Names the workspace, after another name. */
export const ofWorkspace = ({ workspace }: Whose): string =>
  workspace === undefined ? '' : ` in workspace ${workspace}`;
