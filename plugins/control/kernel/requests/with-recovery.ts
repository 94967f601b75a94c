import type { RouteReply } from '../../../sdk/route/route-row.ts';
import type { ControlRoute } from './control-route.ts';

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
