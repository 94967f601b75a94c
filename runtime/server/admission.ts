import type { Identities } from '../../plugins/sdk/identities.ts';
import { errorReport, GatewayError, gatewayError } from '../../schema/errors.ts';
import { actInWorkspace } from './act-in-workspace.ts';
import { type Authentication, authenticate } from './authenticate.ts';
import type { BodyBounds, Received } from './collect-body.ts';
import { foreignCaller } from './foreign-caller.ts';
import type { HttpExchange } from './http-exchange.ts';
import { missingScope } from './missing-scope.ts';
import { receiveBody } from './receive-body.ts';

export interface AdmissionOptions extends BodyBounds, Pick<Authentication, 'onRefused'> {
  /** Given with service keys. They reject only with a `GatewayError`. */
  readonly identities?: Identities;
  /** Without service keys: whether anyone may call, by any host name. */
  readonly open: boolean;
}

/** Admits a caller, then receives its body. Calls back once: with the `GatewayError` of a refusal, or with none. */
export type Admit = (exchange: HttpExchange, done: Received) => void;

type Refusal = GatewayError | undefined;

/** The second refusal if there is no first; a promise only if either is. */
const orElse = (first: Refusal | Promise<Refusal>, second: () => Refusal | Promise<Refusal>) =>
  first instanceof Promise ? first.then((refused) => refused ?? second()) : (first ?? second());

/** Why an identified caller may not make this request. */
const forbidden = (exchange: HttpExchange, identities: Identities | undefined): Refusal | Promise<Refusal> => {
  const { workspace, problem } = exchange.caller;
  const refused = missingScope(exchange);
  if (refused !== undefined || workspace === undefined) return refused ?? problem;
  return orElse(actInWorkspace(exchange, workspace, identities?.workspaceOf), () => problem);
};

/** Why this caller is not admitted. */
const refusal = (
  exchange: HttpExchange,
  { identities, onRefused, open }: AdmissionOptions,
): Refusal | Promise<Refusal> => {
  const { caller } = exchange;
  if (caller.ambiguity !== undefined) return caller.ambiguity;
  if (identities !== undefined)
    return orElse(authenticate(exchange, { identify: identities.identify, onRefused }), () =>
      forbidden(exchange, identities),
    );
  const from = open ? undefined : foreignCaller(caller.host, caller.origin);
  return from === undefined ? forbidden(exchange, undefined) : gatewayError('foreign-origin', { from });
};

const asRefusal = (error: unknown): GatewayError =>
  error instanceof GatewayError ? error : new GatewayError(errorReport('internal-error', {}), { cause: error });

/** Decides who is admitted. A caller's body is received only after that, and before any plugin sees the request. */
export const admission =
  (options: AdmissionOptions): Admit =>
  (exchange, done) => {
    const proceed = (refused: Refusal): void => {
      if (refused === undefined) receiveBody(exchange, options, done);
      else done(refused);
    };
    const refused = refusal(exchange, options);
    if (refused instanceof Promise) refused.catch(asRefusal).then(proceed);
    else proceed(refused);
  };
