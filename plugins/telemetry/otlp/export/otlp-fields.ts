/**
 * Field numbers from https://github.com/open-telemetry/opentelemetry-proto/tree/main/opentelemetry/proto: `common`, `resource`,
 * `trace`.
 */
export const requestFields = { resourceSpans: 1 } as const;
export const resourceSpansFields = { resource: 1, scopeSpans: 2 } as const;
export const scopeSpansFields = { scope: 1, spans: 2 } as const;
export const resourceFields = { attributes: 1 } as const;
export const scopeFields = { name: 1 } as const;

export const spanFields = {
  traceId: 1,
  spanId: 2,
  traceState: 3,
  parentSpanId: 4,
  name: 5,
  kind: 6,
  startTime: 7,
  endTime: 8,
  attributes: 9,
  events: 11,
  droppedEventsCount: 12,
  status: 15,
  flags: 16,
} as const;
export const eventFields = { time: 1, name: 2, attributes: 3 } as const;
export const statusFields = { code: 3 } as const;

export const attributeFields = { key: 1, value: 2 } as const;
export const valueFields = { string: 1, bool: 2, int: 3, double: 4, list: 5 } as const;
export const listFields = { values: 1 } as const;

export const spanKinds = { server: 2, client: 3 } as const;
export const statusCodes = { unset: 0, error: 2 } as const;
export const spanFlags = { sampled: 0x1, saysIfRemote: 0x100, isRemote: 0x200 } as const;
