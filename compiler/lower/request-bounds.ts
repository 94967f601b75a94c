import type { Config } from '../../schema/generated/config.ts';
import type { RequestBounds } from '../../schema/plan/request-bounds.ts';

/** Reads the bounds of a request from the root of a config. */
export const requestBounds = ({ deadline_ms: deadlineMs }: Config): RequestBounds =>
  deadlineMs === undefined ? {} : { deadlineMs };
