import { type GatewayError, gatewayError } from '../../schema/errors.ts';
import { authenticate } from './authenticate.ts';
import type { BodyBounds, Received } from './collect-body.ts';
import { foreignCaller } from './foreign-caller.ts';
import type { HttpExchange } from './http-exchange.ts';
import { receiveBody } from './receive-body.ts';
import type { Identify } from './service-keys.ts';

export interface AdmissionOptions extends BodyBounds {
  /** With service keys: who holds one. */
  readonly identify?: Identify;
  /** Without: whether anybody may call, by any name. */
  readonly open: boolean;
}

/** Lets a caller in, then takes its body in. Calls back once: with the `GatewayError` that says why not, or with none. */
export type Admit = (exchange: HttpExchange, done: Received) => void;

/** Why this caller may not come in. */
const refusal = (exchange: HttpExchange, { identify, open }: AdmissionOptions): GatewayError | undefined => {
  const { caller } = exchange;
  const from = identify === undefined && !open ? foreignCaller(caller.host, caller.origin) : undefined;
  if (from !== undefined) return gatewayError('foreign-origin', { from });
  return (identify === undefined ? undefined : authenticate(exchange, identify)) ?? caller.problem;
};

/** Who may come in. A caller's body is taken in only after that, and before any plugin sees the request. */
export const admission =
  (options: AdmissionOptions): Admit =>
  (exchange, done) => {
    const refused = refusal(exchange, options);
    if (refused === undefined) receiveBody(exchange, options, done);
    else done(refused);
  };
