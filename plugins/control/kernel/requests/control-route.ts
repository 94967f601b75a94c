import type { AnyRouteRow, RouteContext, RouteInput, RouteReply } from '../../../sdk/route/route-row.ts';
import type { Scope } from './scopes.ts';

/** A route of the control plane: it requires a scope that keys can have. */
export interface ControlRoute extends AnyRouteRow {
  readonly scope: Scope | null;
  /**
   * Whether a request changes nothing, so that the audit log does not have it; false if absent. A request that was refused has no
   * reply.
   */
  changesNothing?(input: RouteInput, reply: RouteReply | undefined): boolean;
}

/** Routes whose errors become the reply that `recover` makes of them, or the error that it throws. */
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

/** Whether a route lets something change. */
export const isChange = ({ scope }: Pick<AnyRouteRow, 'scope'>): boolean =>
  /\.(?:create|update|delete|rotate|publish)$/.test(scope ?? '');

/**
 * Routes whose changes are in service in this process when they are answered: whoever makes a key can use it at once. Other
 * processes follow within a second.
 */
export const seenWrites = (
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
