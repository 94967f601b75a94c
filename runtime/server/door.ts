import type { GatewayResponse } from '../../plugins/sdk/http.ts';
import { definePlugin, type Plugin } from '../../plugins/sdk/plugin.ts';
import { gatewayError } from '../../schema/errors.ts';
import { leftResponse } from '../link/left-response.ts';
import { authenticate } from './authenticate.ts';
import type { BodyBounds } from './collect-body.ts';
import { foreignCaller } from './foreign-caller.ts';
import { HttpExchange } from './http-exchange.ts';
import { receiveBody } from './receive-body.ts';
import type { Identify } from './service-keys.ts';

export interface DoorOptions extends BodyBounds {
  /** With service keys: who holds one. */
  readonly identify?: Identify;
  /** Without: whether anybody may call, by any name. */
  readonly open: boolean;
}

/** Before policies of other plugins, which then know the caller and see the body. */
const first = -1000;

const enter = (exchange: HttpExchange, { identify, open }: DoorOptions): void => {
  const { caller } = exchange;
  const from = identify === undefined && !open ? foreignCaller(caller.host, caller.origin) : undefined;
  if (from !== undefined) throw gatewayError('foreign-origin', { from });
  if (identify !== undefined) authenticate(exchange, identify);
  if (caller.problem !== undefined) throw caller.problem;
};

const comeIn = async (exchange: HttpExchange, options: DoorOptions): Promise<GatewayResponse | undefined> => {
  enter(exchange, options);
  const { connection } = exchange;
  if (connection !== undefined) await receiveBody(exchange, connection, options);
  return exchange.cancellation.cancelled ? leftResponse : undefined;
};

/** Who may come in: the first policy of `beforeRoute`. A caller's body is taken in only after that. */
export const door = (options: DoorOptions): Plugin =>
  definePlugin({
    name: 'gatewright/door',
    apply: (hooks) => {
      hooks.beforeRoute.tapAsync({ name: 'gatewright/door', stage: first }, (exchange, callback) => {
        if (!(exchange instanceof HttpExchange)) callback();
        else comeIn(exchange, options).then((answer) => callback(null, answer), callback);
      });
    },
  });
