import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import { isMultipartForm } from '../../plugins/sdk/multipart/find-boundary.ts';
import { asGatewayError, type GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import type { Received } from '../http/body/collect-body.ts';
import { receiveBody } from '../http/body/receive-body.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import type { FormBounds } from '../http/forms/receive-sendable-form.ts';
import { isModelsRoute } from '../route-matching/declared-routes.ts';
import { actInWorkspace } from './act-in-workspace.ts';
import { type Authentication, authenticate } from './authenticate.ts';
import { type AllowedOrigins, foreignCaller } from './foreign-caller.ts';

type Refusal = GatewayError | undefined;

const inference = 'completions.write';
const listing = 'models.list';

/**
 * Returns the `GatewayError` `missing-scope` if the caller may not make such a request. A caller that may call models may also
 * list them.
 */
const missingScope = ({ principal: { scopes }, route }: HttpExchange): GatewayError | undefined => {
  if (scopes === undefined || scopes.has(inference)) return undefined;
  const scope = isModelsRoute(route) ? listing : inference;
  return scopes.has(scope) ? undefined : gatewayError('missing-scope', { scope });
};

export interface AdmissionOptions extends FormBounds, Pick<Authentication, 'onRefused'> {
  /** Set if there are service keys. They reject only with a `GatewayError`. */
  readonly identities?: Identities | undefined;
  /** Without service keys: whether anyone may call, with any host name. */
  readonly open: boolean;
  /** Default: only those of this machine, without service keys, and otherwise all. */
  readonly origins?: AllowedOrigins | undefined;
  /** Decides when a request starts, or refuses it, if there is overload protection. */
  readonly begin?: ((exchange: HttpExchange, done: Received) => void) | undefined;
  /** Rejects if a request has no plan, whatever its body is. */
  readonly checkNamedPlan: (exchange: HttpExchange) => Promise<void>;
}

/** Admits a caller, then receives its body. Calls back once: with the `GatewayError` of a refusal, or without one. */
export type Admit = (exchange: HttpExchange, done: Received) => void;

/** Returns why an identified caller may not make this request. */
const forbidden = (exchange: HttpExchange, identities: Identities | undefined): Refusal | Promise<Refusal> => {
  const { workspace, problem } = exchange.caller;
  const refused = missingScope(exchange);
  if (refused !== undefined || workspace === undefined) return refused ?? problem;
  const elsewhere = actInWorkspace(exchange, workspace, identities?.findWorkspace);
  return elsewhere instanceof Promise ? elsewhere.then((error) => error ?? problem) : (elsewhere ?? problem);
};

interface Admitting extends Pick<AdmissionOptions, 'open' | 'origins'> {
  readonly identities: Identities | undefined;
  /** Absent without service keys. */
  readonly authentication: Authentication | undefined;
}

/** Returns why a caller from elsewhere is not admitted if there are no service keys. */
const foreign = ({ caller: { host, origin } }: HttpExchange, { origins }: Admitting): Refusal => {
  const from = foreignCaller(host, origin, origins);
  return from === undefined ? undefined : gatewayError('foreign-origin', { from });
};

/** Returns why this caller is not admitted. A promise only if the caller has to be looked up. */
const refusal = (exchange: HttpExchange, admitting: Admitting): Refusal | Promise<Refusal> => {
  const { identities, authentication, open } = admitting;
  const { ambiguity } = exchange.caller;
  if (ambiguity !== undefined) return ambiguity;
  if (authentication === undefined)
    return (open ? undefined : foreign(exchange, admitting)) ?? forbidden(exchange, undefined);
  const refused = authenticate(exchange, authentication);
  return refused instanceof Promise
    ? refused.then((error) => error ?? forbidden(exchange, identities))
    : (refused ?? forbidden(exchange, identities));
};

/** Whether a request of a modelled operation has a form. Others on the same path may have JSON. */
const isModelledForm = ({ caller: { contentType = '' }, route }: HttpExchange): boolean =>
  route.hasForms === true && isMultipartForm(contentType);

/** Most gateways receive no forms, so the code that reads them is loaded for the first one. */
const receiveForm = (exchange: HttpExchange, bounds: FormBounds, done: Received): void => {
  import('../http/forms/receive-sendable-form.ts')
    .then(({ receiveSendableForm }) => receiveSendableForm(exchange, bounds))
    .then(
      () => done(),
      (error: unknown) => done(asGatewayError(error)),
    );
};

/**
 * Decides who is admitted. A caller's body is received only after that, and before any plugin sees the request. Requests refused
 * because of overload are refused once the caller is known, because its key determines its priority, and before their body is
 * read. Looking a key up costs far less than serving a request, and a caller without one is refused in any case. A client that
 * waits for `100 Continue` sends its body only if the headers of its request are not refused.
 */
export const admission = (options: AdmissionOptions): Admit => {
  const { identities, onRefused, open, origins, begin, checkNamedPlan } = options;
  const authentication = identities && { identify: identities.identify, onRefused };
  const admitting = { identities, authentication, open, origins };
  return (exchange, done) => {
    const receiveUnless = (denied: Refusal): void => {
      if (denied !== undefined) done(denied);
      else if (isModelledForm(exchange)) receiveForm(exchange, options, done);
      else receiveBody(exchange, options, done);
    };
    const receive = (denied: Refusal): void => {
      if (denied === undefined && exchange.caller.expectsContinue)
        checkNamedPlan(exchange).then(
          () => receiveUnless(undefined),
          (error: unknown) => receiveUnless(asGatewayError(error)),
        );
      else receiveUnless(denied);
    };
    const proceed = (denied: Refusal): void => {
      if (denied === undefined && begin !== undefined) begin(exchange, receive);
      else receive(denied);
    };
    const refused = refusal(exchange, admitting);
    if (refused instanceof Promise) refused.catch(asGatewayError).then(proceed);
    else proceed(refused);
  };
};
