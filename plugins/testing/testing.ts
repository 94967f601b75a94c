/** The kit of `gatewright/testing` that needs no runtime: contracts of plugins, virtual time, and bodies. */

export { applyPlugin } from './apply-plugin.ts';
export type { TokenService } from './authorize-faults.ts';
export { createCancellation, neverCancelled } from './cancellation.ts';
export { checkReply } from './check-reply.ts';
export { ContractError } from './faults.ts';
export { readFrames } from './read-frames.ts';
export { type ReceivedBody, receiveBody } from './received-body.ts';
export type { RecordedCall } from './recording-provider.ts';
export {
  type AnswerOptions,
  answers,
  hangs,
  refuses,
  type StreamOptions,
  streams,
  type UpstreamReply,
} from './replies.ts';
export type { Route, RouteOptions, RouteReplies, RouteRequest, RouteRun, RouteTest } from './route-test.ts';
export { sampleConversations } from './sample-conversations.ts';
export { type CacheContract, testCache } from './test-cache.ts';
export { type DialectSample, testDialect } from './test-dialect.ts';
export { createTestExchange, type TestRequest } from './test-exchange.ts';
export { type GuardrailCase, testGuardrail } from './test-guardrail.ts';
export { type PolicyCase, type PolicyRequest, testPolicy } from './test-policy.ts';
export { type ProviderSample, testProvider } from './test-provider.ts';
export { createVirtualClock, type VirtualClock } from './virtual-clock.ts';
