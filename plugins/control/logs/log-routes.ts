import type { ControlRoute } from '../kernel/requests/control-route.ts';
import type { ControlParts } from '../kernel/resource/control-parts.ts';
import { analyticsRoutes } from './analytics/analytics-routes.ts';
import { armRoutes } from './arm-routes.ts';
import { eventRoutes } from './events/event-routes.ts';
import { feedbackRoutes } from './feedback/feedback-routes.ts';
import { recordRoutes } from './records/record-routes.ts';
import { replayRoutes } from './replay-routes.ts';
import type { LogParts } from './writer/log-store.ts';

/** The routes of the log, of replays, of its events, of feedback, of analytics and of mirrors. */
export const logRoutes = (parts: LogParts, control: ControlParts): readonly ControlRoute[] => [
  ...recordRoutes(parts),
  ...replayRoutes(parts, control),
  ...eventRoutes(parts),
  ...feedbackRoutes(parts),
  ...analyticsRoutes(parts),
  ...armRoutes(parts),
];
