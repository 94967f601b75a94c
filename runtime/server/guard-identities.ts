import { within } from '../../plugins/sdk/within.ts';
import { errorReport, GatewayError } from '../../schema/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Identities } from '../ports/identify.ts';

/** Milliseconds until an unanswered question counts as failed. */
const longestMs = 10_000;

const unavailable = (cause: unknown): GatewayError =>
  new GatewayError(errorReport('identity-unavailable', {}), { cause });

const refuse = (cause: unknown): never => {
  throw unavailable(cause);
};

/** What a source answers, at once if it can. Every way to fail is a rejection with `identity-unavailable`. */
const guarded =
  <Args extends readonly unknown[], Found>(
    ask: (...args: Args) => Found | Promise<Found>,
    clock: Clock,
  ): ((...args: Args) => Found | Promise<Found>) =>
  (...args) => {
    try {
      const found = ask(...args);
      return found instanceof Promise ? within(clock, longestMs, found).catch(refuse) : found;
    } catch (error) {
      return Promise.reject(unavailable(error));
    }
  };

/** A source that never throws, rejects only with the `GatewayError` `identity-unavailable`, and always answers. */
export const guardIdentities = (source: Identities, clock: Clock): Identities => ({
  identify: guarded((presented) => source.identify(presented), clock),
  workspaceOf: guarded((principal, name) => source.workspaceOf?.(principal, name), clock),
  onRevoked: (run) => source.onRevoked?.(run) ?? (() => {}),
  ...(source.confirmedAt === undefined ? {} : { confirmedAt: () => source.confirmedAt?.() ?? 0 }),
});
