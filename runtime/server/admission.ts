import { type GatewayError, gatewayError } from '../../schema/errors.ts';
import { authenticate } from './authenticate.ts';
import type { BodyBounds, Received } from './collect-body.ts';
import { foreignCaller } from './foreign-caller.ts';
import type { HttpExchange } from './http-exchange.ts';
import { receiveBody } from './receive-body.ts';
import type { Identify } from './service-keys.ts';

export interface AdmissionOptions extends BodyBounds {
  /** Given with service keys: finds the holder of a key. */
  readonly identify?: Identify;
  /** Without service keys: whether anyone may call, by any host name. */
  readonly open: boolean;
}

/** Admits a caller, then receives its body. Calls back once: with the `GatewayError` of a refusal, or with none. */
export type Admit = (exchange: HttpExchange, done: Received) => void;

/** Why this caller is not admitted. */
const refusal = (exchange: HttpExchange, { identify, open }: AdmissionOptions): GatewayError | undefined => {
  const { caller } = exchange;
  const from = identify === undefined && !open ? foreignCaller(caller.host, caller.origin) : undefined;
  if (from !== undefined) return gatewayError('foreign-origin', { from });
  return (identify === undefined ? undefined : authenticate(exchange, identify)) ?? caller.problem;
};

/** Decides who is admitted. A caller's body is received only after that, and before any plugin sees the request. */
export const admission =
  (options: AdmissionOptions): Admit =>
  (exchange, done) => {
    const refused = refusal(exchange, options);
    if (refused === undefined) receiveBody(exchange, options, done);
    else done(refused);
  };
