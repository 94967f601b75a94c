import type { StreamStage, StreamStageFactory } from '../../../plugins/sdk/hooks.ts';
import type { GatewayResponse, UpstreamBody } from '../../../plugins/sdk/http.ts';
import type { ErrorReport } from '../../../schema/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { openStream } from '../../upstream/stream-gate.ts';
import type { StreamRoad } from '../../upstream/stream-road.ts';
import { streamPrefix } from '../checks/stream-prefix.ts';
import { jsonHeaders } from '../error-response.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { Road } from '../target/road.ts';
import { withoutContentType } from './answer-head.ts';
import type { AttemptScope } from './attempt-scope.ts';
import { encodeOptions } from './encode-options.ts';
import { failureResponse } from './failure-response.ts';
import { LeafStream } from './leaf-stream.ts';

export interface StreamedAnswer {
  /** The upstream's, without those that end here. */
  readonly headers: readonly string[];
  readonly body: UpstreamBody;
  readonly road: Exclude<Road, { kind: 'none' }>;
  readonly strict: boolean;
  readonly streamUsage: boolean;
  readonly scope: AttemptScope;
  readonly clock: Clock;
  /** Milliseconds of silence that end an answer which has begun. */
  readonly idleMs: number;
  readonly stages: readonly StreamStageFactory[];
}

const opening: GatewayResponse['body'] = { kind: 'bytes', bytes: Buffer.alloc(0) };

const stagesOf = (call: LeafCall, { headers, stages }: StreamedAnswer): readonly StreamStage[] => {
  const response: GatewayResponse = { status: 200, headers, origin: 'upstream', body: opening };
  return stages.map((stage) => stage.create(response, call.exchange));
};

const streamRoad = (call: LeafCall, answer: StreamedAnswer): StreamRoad => {
  const { road } = answer;
  const stages = answer.stages.length === 0 ? {} : { stages: stagesOf(call, answer) };
  if (road.kind === 'same') return { upstream: road.dialect, client: road.dialect, ...stages };
  return {
    upstream: road.upstream,
    client: road.client,
    translate: {
      decoder: road.upstreamCodec.streamDecoder(),
      encoder: road.clientCodec.streamEncoder(encodeOptions(call, answer)),
    },
    ...stages,
  };
};

/** A stream that failed before its answer began is an answer of its own, which may be retried or passed over. */
const refusal = (
  call: LeafCall,
  {
    error,
    wire,
  }: { readonly error: ErrorReport; readonly wire?: Parameters<StreamRoad['client']['encodeWireError']>[0] },
): GatewayResponse => {
  if (wire === undefined || call.dialect === undefined) return failureResponse(call, error);
  const body = call.dialect.encodeWireError(wire, error.status);
  return {
    status: error.status,
    headers: jsonHeaders,
    origin: 'upstream',
    cause: error.code,
    body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
    leaf: call.report,
  };
};

/** Waits until a stream's answer begins; the time-out covers the wait, and silence is watched from then on. */
export const receiveStream = async (call: LeafCall, answer: StreamedAnswer): Promise<GatewayResponse> => {
  const { scope, clock, idleMs, road, strict } = answer;
  let cause = 'stream-cut';
  const prefix = streamPrefix(call, strict);
  const opened = await openStream({
    body: answer.body,
    road: streamRoad(call, answer),
    clock,
    idleMs,
    cancellation: scope,
    provider: call.target.provider.id,
    ...(prefix === undefined ? {} : { prefix }),
    onFailed: (error) => {
      cause = error.code;
    },
  });
  if (opened.kind === 'refused') return refusal(call, opened);
  scope.disarm();
  const body = new LeafStream(opened.body);
  body.onEnd((end) => {
    scope.release();
    if (end === 'failed') call.exchange.trail.push({ kind: 'streamFailed', path: call.leaf.path, cause });
  });
  const headers =
    road.kind === 'same'
      ? answer.headers
      : [...withoutContentType(answer.headers), 'content-type', 'text/event-stream'];
  return { status: 200, headers, origin: 'upstream', body, leaf: call.report };
};
