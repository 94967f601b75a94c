import type { AnyRouteRow, RouteContext, RouteInput, RouteReply } from '../../../sdk/route/route-row.ts';
import type { Scope } from './scopes.ts';

/** A route of the control plane. It requires a scope that keys can have. */
export interface ControlRoute extends AnyRouteRow {
  readonly scope: Scope | null;
  /**
   * Whether a request changes nothing, so that it is not written to the audit log; false if absent. A refused request has no
   * reply.
   */
  changesNothing?(input: RouteInput, reply: RouteReply | undefined): boolean;
}

/** Wraps routes so that `recover` converts their errors to replies, or to the error that it throws. */
export const withRecovery = (
  rows: readonly ControlRoute[],
  recover: (error: unknown) => RouteReply,
): readonly ControlRoute[] =>
  rows.map((row) => ({
    ...row,
    handle: async (input, context) => {
      try {
        return await row.handle(input, context);
      } catch (error) {
        return recover(error);
      }
    },
  }));

/** Whether a route can change something. */
export const isChange = ({ scope }: Pick<AnyRouteRow, 'scope'>): boolean =>
  /\.(?:create|update|delete|rotate|publish)$/.test(scope ?? '');

/**
 * Wraps routes so that their changes are in effect in this process before the response is sent: a client that creates a key can
 * use it immediately. Other processes follow within a second.
 */
export const withImmediateEffect = (
  rows: readonly AnyRouteRow[],
  look: (context: RouteContext) => Promise<unknown>,
): readonly AnyRouteRow[] =>
  rows.map((row) =>
    !isChange(row)
      ? row
      : {
          ...row,
          handle: async (input, context) => {
            const reply = await row.handle(input, context);
            await look(context);
            return reply;
          },
        },
  );
