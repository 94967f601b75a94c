import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import type { Principal } from '../../plugins/sdk/exchange/exchange.ts';
import { gatewayError } from '../../schema/errors/errors.ts';
import { actInWorkspace } from '../access/act-in-workspace.ts';
import { type Authentication, authenticate } from '../access/authenticate.ts';
import { foreignCaller } from '../access/foreign-caller.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';

export interface CallerRules extends Pick<Authentication, 'onRefused'> {
  /** Given with service keys. They reject only with a `GatewayError`. */
  readonly identities?: Identities;
  /** Without service keys: only callers from this machine are answered. */
  readonly guarded: boolean;
}

/** Whether a page of this origin is one of the host that it calls. */
const isOfHost = (origin: string, host: string | undefined): boolean =>
  host !== undefined && origin.replace(/^https?:\/\//i, '').toLowerCase() === host.toLowerCase();

/** Finds the caller of a request once more; undefined once that key, or whatever it presented, is no longer valid. */
export type FindAgain = () => Promise<Principal | undefined>;

/**
 * Decides who may call the control plane, and makes the caller that of the exchange. Throws the `GatewayError`s
 * `foreign-origin`, `foreign-site`, `invalid-header`, and those of `authenticate` and `actInWorkspace`. Resolves with how the same
 * caller is found again while its answer lasts.
 */
export const admitCaller = async (
  exchange: HttpExchange,
  { identities, onRefused, guarded }: CallerRules,
): Promise<FindAgain> => {
  const { host, origin, workspace, ambiguity } = exchange.caller;
  const from = guarded ? foreignCaller(host, origin) : undefined;
  if (from !== undefined) throw gatewayError('foreign-origin', { from });
  if (origin !== undefined && !isOfHost(origin, host)) throw gatewayError('foreign-site', { origin });
  if (ambiguity !== undefined) throw ambiguity;
  if (identities === undefined) return async () => exchange.principal;
  const { identify, findWorkspace } = identities;
  // What it presents is withheld from the exchange once it is known to be a key.
  const presented = exchange.caller.serviceKey ?? exchange.caller.overrides.credential ?? '';
  const refused =
    (await authenticate(exchange, { identify, onRefused })) ??
    (workspace === undefined ? undefined : await actInWorkspace(exchange, workspace, findWorkspace));
  if (refused !== undefined) throw refused;
  return async () => {
    const found = await identify(presented);
    return found === undefined || workspace === undefined ? found : findWorkspace?.(found, workspace);
  };
};
