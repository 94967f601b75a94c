import type { RouteInput } from '../../../sdk/route/route-row.ts';

/** The query of a route that can be tried out. */
export const dryRunQuery = {
  type: 'object',
  properties: {
    dry_run: { type: 'boolean', default: false, description: 'Whether to say what is wrong, and to change nothing.' },
  },
} as const;

/** Whether a request tries a route out, so that it changes nothing. */
export const isDryRun = ({ query }: Pick<RouteInput, 'query'>): boolean => query.dry_run === true;
