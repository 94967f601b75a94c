import type { RouteInput } from '../../../sdk/route/route-row.ts';

/** The query parameter of a route that supports dry runs. */
export const dryRunQuery = {
  type: 'object',
  properties: {
    dry_run: {
      type: 'boolean',
      default: false,
      description: 'Whether to only validate the request, without changing anything.',
    },
  },
} as const;

/** Whether a request is a dry run, which changes nothing. */
export const isDryRun = ({ query }: Pick<RouteInput, 'query'>): boolean => query.dry_run === true;
