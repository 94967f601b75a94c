import type { AnyRouteRow } from '../../sdk/route-row.ts';
import { analyticsRoutes } from './analytics/analytics-routes.ts';
import { feedbackRoutes } from './feedback/feedback-routes.ts';
import type { LogParts } from './log-parts.ts';
import { recordRoutes } from './records/record-routes.ts';

/** The routes of the log, of feedback and of analytics. */
export const logRoutes = (parts: LogParts): readonly AnyRouteRow[] => [
  ...recordRoutes(parts),
  ...feedbackRoutes(parts),
  ...analyticsRoutes(parts),
];
