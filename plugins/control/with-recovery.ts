import type { AnyRouteRow, RouteReply } from '../sdk/route-row.ts';

/** Routes whose errors become the reply that `recover` makes of them, or the error that it throws. */
export const withRecovery = (
  rows: readonly AnyRouteRow[],
  recover: (error: unknown) => RouteReply,
): readonly AnyRouteRow[] =>
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
