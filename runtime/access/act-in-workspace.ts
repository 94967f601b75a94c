import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import type { Principal } from '../../plugins/sdk/exchange/exchange.ts';
import { type GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';

/** How many characters of a name are shown. */
const longestName = 200;

const notReached = (name: string, suggestion: string): GatewayError =>
  gatewayError('workspace-not-reached', { name: name.slice(0, longestName), suggestion });

/**
 * Sets the caller of a request to the same caller in the workspace `name` of its organisation. Returns, or resolves to, the
 * `GatewayError` `workspace-not-reached`, or `invalid-header` for a caller that belongs to no organisation.
 */
export const actInWorkspace = (
  exchange: HttpExchange,
  name: string,
  findWorkspace: Identities['findWorkspace'],
): GatewayError | undefined | Promise<GatewayError | undefined> => {
  const { principal } = exchange;
  if (principal.reach === undefined) {
    const reason = 'only a service key of an organisation can name its workspace. Omit the header.';
    return gatewayError('invalid-header', { header: 'x-gw-workspace', reason });
  }
  const take = (found: Principal | undefined): GatewayError | undefined => {
    if (principal.reach === 'workspace' && found?.tenant !== principal.tenant)
      return notReached(name, 'Omit the header: this key always acts in its own workspace.');
    if (found === undefined)
      return notReached(name, 'Name a workspace of its organisation by id or slug, or omit the header.');
    exchange.principal = found;
    return undefined;
  };
  const found = findWorkspace?.(principal, name);
  return found instanceof Promise ? found.then(take) : take(found);
};
