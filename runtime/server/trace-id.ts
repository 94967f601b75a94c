import { randomUUID } from 'node:crypto';

const longest = 256;

/** A fresh id for a request that brings none: a version 4 UUID. */
export const newTraceId = (): string => randomUUID();

/** The caller's own id, cut to 256 characters; nothing where it is empty. */
export const traceIdFrom = (text: string): string | undefined =>
  text === '' ? undefined : text.length > longest ? text.slice(0, longest) : text;

/** The 32 digits of a W3C `traceparent` (https://www.w3.org/TR/trace-context/#traceparent-header). */
export const traceIdFromParent = (text: string): string | undefined =>
  /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(text)?.[1];
