import type { AnyRouteRow } from '../../../sdk/route/route-row.ts';

/** The verbs of scopes that let something change. */
const changes = /\.(?:create|update|delete|rotate|publish)$/;

/** Whether a route lets something change. */
export const isChange = ({ scope }: Pick<AnyRouteRow, 'scope'>): boolean => changes.test(scope ?? '');

/**
 * Routes whose changes are in service in this process when they are answered: whoever makes a key can use it at once. Other
 * processes follow within a second.
 */
export const seenWrites = (rows: readonly AnyRouteRow[], look: () => Promise<unknown>): readonly AnyRouteRow[] =>
  rows.map((row) =>
    !isChange(row)
      ? row
      : {
          ...row,
          handle: async (input, context) => {
            const reply = await row.handle(input, context);
            await look();
            return reply;
          },
        },
  );
