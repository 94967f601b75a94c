import type { Config } from '../../schema/generated/config.ts';
import { pickBounds, type RequestBounds } from '../../schema/plan/request-bounds.ts';

/** Reads the limits of a request from the root of a config. */
export const requestBounds = ({ deadline_ms: deadlineMs, max_cost_usd: maxCostUsd }: Config): RequestBounds =>
  pickBounds({ deadlineMs, maxCostUsd });
