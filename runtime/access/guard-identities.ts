import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import type { Principal } from '../../plugins/sdk/exchange/exchange.ts';
import { within } from '../../plugins/sdk/time/within.ts';
import { errorReport, GatewayError } from '../../schema/errors/errors.ts';
import type { Clock } from '../ports/clock.ts';

/** How many milliseconds until an unanswered call counts as failed. */
const longestMs = 10_000;

type Found = Principal | undefined;

/** Returns the error of a source that failed. A source that has already reported to the operator why rejects with it itself. */
const unavailable = (cause: unknown): GatewayError =>
  cause instanceof GatewayError && cause.report.code === 'identity-unavailable'
    ? cause
    : new GatewayError(errorReport('identity-unavailable', {}), { cause });

const failed = (cause: unknown): Promise<never> => Promise.reject(unavailable(cause));

/** Wraps a source so that it never throws, rejects only with the `GatewayError` `identity-unavailable`, and always answers. */
export const guardIdentities = (source: Identities, clock: Clock): Identities => {
  const bounded = (found: Found | Promise<Found>): Found | Promise<Found> =>
    found instanceof Promise ? within(clock, longestMs, found).catch(failed) : found;
  return {
    identify: (presented) => {
      try {
        return bounded(source.identify(presented));
      } catch (error) {
        return failed(error);
      }
    },
    findWorkspace: (principal, name) => {
      try {
        return bounded(source.findWorkspace?.(principal, name));
      } catch (error) {
        return failed(error);
      }
    },
    identifySession: (token) => {
      try {
        return bounded(source.identifySession?.(token));
      } catch (error) {
        return failed(error);
      }
    },
    noteRefused: (presented) => source.noteRefused?.(presented),
    findKeyId: (presented) => source.findKeyId?.(presented),
    onRevoked: (run) => source.onRevoked?.(run) ?? (() => {}),
    ...(source.confirmedAt === undefined ? {} : { confirmedAt: () => source.confirmedAt?.() ?? 0 }),
  };
};
