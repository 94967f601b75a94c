import type { Config } from '../../schema/generated/config.ts';
import type { RequestBounds } from '../../schema/plan/request-bounds.ts';

/** What a config's root allows a request as a whole. */
export const requestBounds = ({ deadline_ms: deadlineMs }: Config): RequestBounds =>
  deadlineMs === undefined ? {} : { deadlineMs };
