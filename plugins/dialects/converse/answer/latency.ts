import type { JsonObject } from '../../../../schema/json/json.ts';

/** The latency of an answer whose provider did not report it. */
export const unknownLatency = 0;

/** Every answer has metrics, and some clients fail without them. */
export const unknownMetrics: JsonObject = { metrics: { latencyMs: unknownLatency } };
