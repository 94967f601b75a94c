import { definePlugin, type Plugin } from '../../plugins/sdk/plugin.ts';
import { type GatewayError, gatewayError } from '../../schema/errors.ts';
import { leftResponse } from '../link/left-response.ts';
import { authenticate } from './authenticate.ts';
import type { BodyBounds } from './collect-body.ts';
import { foreignCaller } from './foreign-caller.ts';
import { HttpExchange } from './http-exchange.ts';
import { receiveBody } from './receive-body.ts';
import type { Identify } from './service-keys.ts';

export interface AdmissionOptions extends BodyBounds {
  /** With service keys: who holds one. */
  readonly identify?: Identify;
  /** Without: whether anybody may call, by any name. */
  readonly open: boolean;
}

/** Before policies of other plugins, which then know the caller and see the body. */
const first = -1000;

/** Why this caller may not come in. */
const refusal = (exchange: HttpExchange, { identify, open }: AdmissionOptions): GatewayError | undefined => {
  const { caller } = exchange;
  const from = identify === undefined && !open ? foreignCaller(caller.host, caller.origin) : undefined;
  if (from !== undefined) return gatewayError('foreign-origin', { from });
  return (identify === undefined ? undefined : authenticate(exchange, identify)) ?? caller.problem;
};

/** Who may come in: the first policy of `beforeRoute`. A caller's body is taken in only after that. */
export const admission = (options: AdmissionOptions): Plugin =>
  definePlugin({
    name: 'gatewright/admission',
    apply: (hooks) => {
      hooks.beforeRoute.tapAsync({ name: 'gatewright/admission', stage: first }, (exchange, callback) => {
        if (!(exchange instanceof HttpExchange)) {
          callback();
          return;
        }
        const refused = refusal(exchange, options);
        if (refused !== undefined) callback(refused);
        else
          receiveBody(exchange, options, (error) => {
            if (error !== undefined) callback(error);
            else if (exchange.cancellation.cancelled) callback(null, leftResponse);
            else callback();
          });
      });
    },
  });
