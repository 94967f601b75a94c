import type { Principal } from '../../../plugins/sdk/exchange.ts';
import { gatewayError } from '../../../schema/errors.ts';
import { enter, otherCredential, presentedKey } from '../authenticate.ts';
import { foreignCaller } from '../foreign-caller.ts';
import type { HttpExchange } from '../http-exchange.ts';

/** Finds the holder of a key, at once or later. */
export type IdentifyCaller = (presented: string) => Principal | undefined | Promise<Principal | undefined>;

export interface CallerRules {
  /** Given with service keys: finds the holder of a key. */
  readonly identify?: IdentifyCaller;
  /** Without service keys: only callers from this machine are answered. */
  readonly guarded: boolean;
}

/** Whether a page of this origin is one of the host that it calls. */
const isOfHost = (origin: string, host: string | undefined): boolean =>
  host !== undefined && origin.replace(/^https?:\/\//i, '').toLowerCase() === host.toLowerCase();

/**
 * Decides who may call the control plane, and makes the caller that of the exchange. Throws the `GatewayError`s
 * `foreign-origin`, `foreign-site`, `missing-service-key` and `wrong-service-key`.
 */
export const admitCaller = async (exchange: HttpExchange, { identify, guarded }: CallerRules): Promise<void> => {
  const { host, origin } = exchange.caller;
  const from = guarded ? foreignCaller(host, origin) : undefined;
  if (from !== undefined) throw gatewayError('foreign-origin', { from });
  if (origin !== undefined && !isOfHost(origin, host)) throw gatewayError('foreign-site', { origin });
  if (identify === undefined) return;
  const presented = presentedKey(exchange);
  if (presented === undefined) throw gatewayError('missing-service-key', {});
  const principal = await identify(presented);
  if (principal === undefined) throw gatewayError('wrong-service-key', {});
  const other = otherCredential(exchange, presented);
  const isOtherKey = other !== undefined && (await identify(other)) !== undefined;
  enter(exchange, { principal, presented, isOtherKey });
};
