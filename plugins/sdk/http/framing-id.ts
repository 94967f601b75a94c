/**
 * How the frames of a stream are encoded: `text/event-stream`, `application/vnd.amazon.eventstream`, `application/x-ndjson`, or
 * one JSON array in `application/json`.
 */
export type FramingId = 'sse' | 'aws-eventstream' | 'ndjson' | 'json-array';
