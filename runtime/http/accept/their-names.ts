import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { GatewayError, invalidConfig } from '../../../schema/errors/errors.ts';
import { savedSlug } from '../../../schema/text/slug-model.ts';
import type { LinkedPlan } from '../../engine/link.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import type { AcceptedHeaders, CallerHeaders } from '../headers/caller-headers.ts';
import type { Acceptance } from './acceptance.ts';
import { toSentDiagnostics } from './sent-diagnostics.ts';

type Report = GatewayError['report'];

/**
 * Returns the hint for a name from Portkey that is not saved here, which clients send as they did there. A suggestion of the
 * nearest name stays alone.
 */
const importHint = ({ code, message }: Report, { virtualKey, overrides }: CallerHeaders): string => {
  if (message.includes('Did you mean')) return '';
  if (code === 'unknown-config')
    return ' To use a config of Portkey here, import it with gw import portkey, or save it under this name.';
  if (code !== 'invalid-header') return '';
  if (virtualKey !== undefined && message.includes('header x-gw-virtual-key'))
    return ' To use a virtual key of Portkey here, save it under this slug, in the gateway file or a store.';
  const isProvider = savedSlug(overrides.provider) !== undefined && message.includes('header x-gw-provider');
  return isProvider
    ? ' To use a provider or a virtual key of Portkey here, save a provider under this slug, in the gateway file or a store.'
    : '';
};

/** Returns the report of a refused config with the names of the config that was sent. All other reports are returned unchanged. */
const withSentDiagnostics = (report: Report, accepted: AcceptedHeaders): Report => {
  const { code, diagnostics } = report;
  const config = code === 'invalid-config' ? accepted.config() : undefined;
  return config === undefined || diagnostics === undefined
    ? report
    : invalidConfig(toSentDiagnostics(diagnostics, config)).report;
};

/**
 * Returns an error that names headers as the client of another gateway knows them. For all other clients, it is returned
 * unchanged.
 */
export const withClientNames: Acceptance['named'] = (error, { caller }) => {
  const { accepted } = caller;
  if (accepted === undefined) return error;
  const { report } = error;
  const named = withSentDiagnostics(report, accepted);
  const message = accepted.toTheirs(named.message + importHint(report, caller));
  // Its cause is that of the error, because an error with another error as its cause is logged as a bug.
  return message === report.message && named === report
    ? error
    : new GatewayError({ ...named, message }, { cause: error.cause });
};

const rethrow = (error: unknown, exchange: HttpExchange): never => {
  throw error instanceof GatewayError ? withClientNames(error, exchange) : error;
};

/** Returns a target's answer with an error of the gateway's own, with headers named this way. */
const answerInTheirNames = (response: GatewayResponse, accepted: AcceptedHeaders): GatewayResponse => {
  const { body, cause, origin } = response;
  if (cause === undefined || origin === 'upstream' || body.kind !== 'bytes') return response;
  const text = Buffer.from(body.bytes).toString();
  const named = accepted.toTheirs(text);
  return named === text ? response : { ...response, body: { ...body, bytes: Buffer.from(named) } };
};

/** Wraps a plan so that its own errors name headers this way. */
const planInTheirNames = (plan: LinkedPlan, exchange: HttpExchange): LinkedPlan => {
  const { accepted } = exchange.caller;
  if (accepted === undefined) return plan;
  return {
    ...plan,
    execute: async (...run) => {
      try {
        return answerInTheirNames(await plan.execute(...run), accepted);
      } catch (error) {
        return rethrow(error, exchange);
      }
    },
  };
};

/** Chooses the plan of a request. Errors that say why there is none, or why it cannot answer, name headers this way. */
export const chooseWithClientNames: Acceptance['choose'] = (choose) => (exchange) => {
  try {
    const chosen = choose(exchange);
    return chosen instanceof Promise
      ? chosen.then(
          (plan) => planInTheirNames(plan, exchange),
          (error: unknown) => rethrow(error, exchange),
        )
      : planInTheirNames(chosen, exchange);
  } catch (error) {
    return rethrow(error, exchange);
  }
};
