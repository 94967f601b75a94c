import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
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

/**
 * Decides who may call the control plane, and makes the caller that of the exchange. Throws the `GatewayError`s
 * `foreign-origin`, `foreign-site`, `invalid-header`, and those of `authenticate` and `actInWorkspace`.
 */
export const admitCaller = async (
  exchange: HttpExchange,
  { identities, onRefused, guarded }: CallerRules,
): Promise<void> => {
  const { host, origin, workspace, ambiguity } = exchange.caller;
  const from = guarded ? foreignCaller(host, origin) : undefined;
  if (from !== undefined) throw gatewayError('foreign-origin', { from });
  if (origin !== undefined && !isOfHost(origin, host)) throw gatewayError('foreign-site', { origin });
  if (ambiguity !== undefined) throw ambiguity;
  if (identities === undefined) return;
  const refused =
    (await authenticate(exchange, { identify: identities.identify, onRefused })) ??
    (workspace === undefined ? undefined : await actInWorkspace(exchange, workspace, identities.findWorkspace));
  if (refused !== undefined) throw refused;
};
