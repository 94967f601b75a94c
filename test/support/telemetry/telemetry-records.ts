import type { AttemptRecord, RequestRecord, SpanPlace } from '../../../plugins/telemetry/otlp/records/records.ts';

const place: SpanPlace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentId: null, state: null };

export const sampleRequest = (members: Partial<RequestRecord> = {}): RequestRecord => ({
  kind: 'request',
  spanName: null,
  place,
  method: 'POST',
  scheme: 'http',
  path: '/chat/completions',
  endpoint: 'chat',
  gatewayTraceId: 'trace',
  startedAt: 1,
  endedAt: 2.5,
  status: 200,
  cause: null,
  plan: null,
  cacheStatus: null,
  cacheSimilarity: null,
  events: [],
  ...members,
});

export const sampleAttempt = (members: Partial<AttemptRecord> = {}): AttemptRecord => ({
  kind: 'attempt',
  place,
  isMeasured: false,
  isCallers: false,
  operation: 'converse',
  provider: 'openai',
  listedAs: 'openai',
  origin: 'http://localhost:1',
  askedModel: null,
  path: '',
  target: 'first',
  attempt: 1,
  startedAt: 1,
  endedAt: 2,
  status: 200,
  error: null,
  streamFailure: null,
  model: '',
  usage: null,
  finishReasons: null,
  ...members,
});
