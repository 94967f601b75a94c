/** The subpath `gatewright/sdk`: everything for writing plugins. */

export type {
  Answer,
  AnswerChoice,
  AnswerEvent,
  Finish,
  FinishReason,
  WireError,
} from '../../schema/conversation/answer.ts';
export { readBound, tagBound } from '../../schema/conversation/bound.ts';
export type {
  AnswerFormat,
  BoundValue,
  CacheHint,
  Citation,
  Conversation,
  Extensions,
  JsonPart,
  MediaPart,
  OtherPart,
  Part,
  ReasoningPart,
  ReasoningRequest,
  RefusalPart,
  ResultContent,
  Sampling,
  ServerToolCallPart,
  ServerToolResultPart,
  TextPart,
  TokenLogprob,
  Tool,
  ToolCallPart,
  ToolChoice,
  ToolResultPart,
  Turn,
  Usage,
} from '../../schema/conversation/conversation.ts';
export {
  type ErrorCode,
  type ErrorParams,
  type ErrorReport,
  type ErrorType,
  errorReport,
  GatewayError,
  gatewayError,
} from '../../schema/errors/errors.ts';
export type { InputProblem } from '../../schema/errors/input-problem.ts';
export { invalidInput } from '../../schema/errors/invalid-input.ts';
export type { Origin } from '../../schema/http/status.ts';
export { isJsonObject, type Json, type JsonArray, type JsonObject } from '../../schema/json/json.ts';
export { type JsonPointer, toPointer } from '../../schema/json/pointer.ts';
export type { Capability } from '../../schema/model-facts/capability.ts';
export type { StatedFacts } from '../../schema/model-facts/model-facts.ts';
export type { Condition, ConditionTest, ElementMatch, Facts } from '../../schema/plan/condition.ts';
export type { LeafNode } from '../../schema/plan/plan.ts';
export { compileRegex, type TextMatcher } from '../../schema/text/regex.ts';
export type { CheckPhase, CheckResult, CircuitState, TrailEvent } from '../../schema/trail/trail.ts';
export type { Cost, InputTokens, OutputTokens, UsageRecord } from '../../schema/usage/usage-record.ts';
export {
  type CacheClaim,
  type CacheDefinition,
  type CachedRequest,
  type CacheEntry,
  type CacheKey,
  type CacheOptions,
  type CacheRead,
  type CacheServices,
  defineCache,
  type Embed,
  type EmbedRequest,
  type ResponseCache,
  type SemanticOptions,
} from './cache/cache.ts';
export type { FoundVector, VectorRow, Vectors } from './cache/vectors.ts';
export {
  type Chooser,
  type ChooserDefinition,
  type ChooserDraw,
  type ChooserOutcome,
  type ChooserRequest,
  type ChooserServices,
  type ChooserTarget,
  defineChooser,
} from './chooser/chooser.ts';
export type { LimitedAttempt, LimitedPlan, LimitedRequest, Limiter, Reservation } from './control-plane/limiter.ts';
export type { DeliveryBounds, Sent } from './delivery/delivery.ts';
export type { AnswerEdit, LeftOut } from './dialect/answer-edit.ts';
export type { CacheHintPlace, CacheHints, PromptCacheRules, PromptPart, TextInsertion } from './dialect/cache-hints.ts';
export type {
  ClientCredentials,
  ClientRoute,
  ListedModel,
  ModelList,
  RequestPath,
  RequestQuery,
} from './dialect/client-route.ts';
export {
  type Adopted,
  type AnswerCodec,
  type ConversationCodec,
  type DecodeAnswer,
  type DecodeRequest,
  type Dialect,
  type DialectDeclaration,
  defineDialect,
  type EncodeAnswer,
  type EncodedRequest,
  type EncodeTarget,
  type Frame,
  type FrameClass,
  type FramingId,
  type LackedContent,
  type LazyDialect,
  type Loss,
  type ReasoningMember,
  type StreamDecoder,
  type StreamEncoder,
  type TextSpan,
} from './dialect/dialect.ts';
export type { ItemNaming } from './dialect/item-naming.ts';
export type { MemberSelection } from './dialect/member-selection.ts';
export type { EndFrame, StreamUsage, UsageRequest } from './dialect/stream-usage.ts';
export type {
  CallerOverrides,
  ClientRequest,
  CopiedRequest,
  Exchange,
  KeyDefaults,
  KeyScope,
  Operation,
  OrganisationId,
  Principal,
  Route,
  ServedLabels,
  ServingPlan,
  TenantId,
  WorkspaceId,
} from './exchange/exchange.ts';
export {
  type Check,
  type CheckAnswer,
  type CheckedRequest,
  type CheckedTarget,
  type CheckHttp,
  type CheckInput,
  type CheckRequest,
  type CheckServices,
  defineGuardrail,
  fail,
  type Guardrail,
  type GuardrailDefinition,
  type JudgedParts,
  pass,
  type Replacement,
  type Verdict,
} from './guardrail/guardrail.ts';
export { defineLazyGuardrail, type LazyGuardrailDefinition } from './guardrail/lazy-guardrail.ts';
export type { AttemptStart } from './hooks/attempt-start.ts';
export type { CheckOutcome, HookResult, JudgedHook } from './hooks/hook-result.ts';
export type { Hooks, Step, StreamStage, StreamStageFactory } from './hooks/hooks.ts';
export type { LimitReached } from './hooks/limit-reached.ts';
export type { MirrorArm, MirrorReport, MirrorResult } from './hooks/mirror-report.ts';
export type { ProbeReport } from './hooks/probe-report.ts';
export type { RefusedKey } from './hooks/refused-key.ts';
export type { UnreadAnswer } from './hooks/unread-answer.ts';
export {
  type ByteStream,
  type BytesBody,
  type CacheStatus,
  type Cancellation,
  type GatewayResponse,
  headerValue,
  type LeafReport,
  type RawHeaders,
  type RequestBody,
  type ResponseBody,
  type Scope,
  type Sink,
  type StreamBody,
  type StreamEnd,
  type Upstream,
  type UpstreamAnswer,
  type UpstreamBody,
  type UpstreamFailure,
  type UpstreamRequest,
  type Waits,
} from './http/http.ts';
export type { InProcess, Timers } from './http/in-process.ts';
export { type BodyScript, type BodyStep, scriptedBody } from './http/scripted-body.ts';
export { wholeBody } from './http/whole-body.ts';
export type { ListedFacts, ModelListPage, PluginModels, ProviderModelList } from './models/plugin-models.ts';
export type { FromSchema, ParameterSchema } from './parameters/from-schema.ts';
export {
  definePlugin,
  type Plugin,
  type PluginDefinition,
  type PluginPermissions,
  pluginApi,
  sdkVersion,
} from './plugin/plugin.ts';
export {
  type AuthorizeContext,
  type Credential,
  defineProvider,
  type Endpoint,
  type EndpointCall,
  type Provider,
  type ProviderLoss,
  type WholeAnswer,
} from './provider/provider.ts';
export { defineRoute, type RouteRow } from './route/define-route.ts';
export type {
  AnyRouteRow,
  ControlPath,
  Dispatch,
  InternalRequest,
  JsonReply,
  Once,
  OnceReply,
  RouteContext,
  RouteInput,
  RouteMethod,
  RouteReplies,
  RouteReply,
  RouteReplyForm,
} from './route/route-row.ts';
export {
  defineLogSink,
  type LazyLogSink,
  type LogSink,
  type LogSinkDefinition,
  type OpenSink,
  type SinkAnswer,
  type SinkBatch,
  type SinkHttp,
  type SinkRecord,
  type SinkRequest,
  type SinkServices,
} from './sink/sink.ts';
export { wait } from './time/wait.ts';
