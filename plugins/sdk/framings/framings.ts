import type { FramingId } from '../dialect/dialect.ts';
import { awsEventStream } from './aws-eventstream.ts';
import type { Framing } from './framing.ts';
import { jsonArray } from './json-array.ts';
import { ndjson } from './ndjson.ts';
import { sse } from './sse.ts';

/** Every framing by its id. */
export const framings: Readonly<Record<FramingId, Framing>> = {
  sse,
  'aws-eventstream': awsEventStream,
  ndjson,
  'json-array': jsonArray,
};
