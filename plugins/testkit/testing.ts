/** The part of `gatewright/testing` that does not need the runtime: contracts of plugins, virtual time, and bodies. */

export { applyPlugin } from './apply-plugin.ts';
export { checkReply } from './check-reply.ts';
export { type DialectSample, testDialect } from './dialect/test-dialect.ts';
export { ContractError } from './errors/reasons.ts';
export type { TokenService } from './provider/authorize-errors.ts';
export { type ProviderSample, testProvider } from './provider/test-provider.ts';
export { createCancellation, neverCancelled } from './route/cancellation.ts';
export { readFrames } from './route/read-frames.ts';
export { type ReceivedBody, receiveBody } from './route/received-body.ts';
export type { RecordedCall } from './route/recording-provider.ts';
export {
  type AnswerOptions,
  answers,
  hangs,
  refuses,
  type StreamOptions,
  streams,
  type UpstreamReply,
} from './route/replies.ts';
export type { Route, RouteOptions, RouteReplies, RouteRequest, RouteRun, RouteTest } from './route/route-test.ts';
export { createTestExchange, type TestRequest } from './route/test-exchange.ts';
export { createVirtualClock, type VirtualClock } from './route/virtual-clock.ts';
export { sampleConversations } from './samples/sample-conversations.ts';
export { type CacheContract, testCache } from './test-cache.ts';
export { type ChooserCase, testChooser } from './test-chooser.ts';
export { type GuardrailCase, testGuardrail } from './test-guardrail.ts';
export { type SinkCase, sampleSinkRecords, testLogSink } from './test-log-sink.ts';
export { type PolicyCase, type PolicyRequest, testPolicy } from './test-policy.ts';
