import type { Framing } from '../../plugins/sdk/framings/framing.ts';
import { framings } from '../../plugins/sdk/framings/framings.ts';
import { sse } from '../../plugins/sdk/framings/sse.ts';

/** A JSON array has the type of a whole answer, so providers are asked for another framing. */
const byType: ReadonlyMap<string, Framing> = new Map(
  [framings.sse, framings['aws-eventstream'], framings.ndjson].map((framing) => [framing.contentType, framing]),
);

/**
 * Returns the framing of an upstream's stream by its content type, in lower case. Undefined for an answer that is not a stream.
 */
export const findFraming = (contentType: string): Framing | undefined => {
  if (contentType.startsWith(sse.contentType)) return sse;
  return byType.get(contentType.split(';', 1)[0]?.trim() ?? '');
};
