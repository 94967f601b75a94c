/** The subpath `gatewright/sdk`: everything for writing plugins. */

export { readBound, tagBound } from '../../schema/bound.ts';
export type { Condition, Facts } from '../../schema/condition.ts';
export type {
  Answer,
  AnswerChoice,
  AnswerEvent,
  AnswerFormat,
  BoundValue,
  CacheHint,
  Citation,
  Conversation,
  Finish,
  FinishReason,
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
  WireError,
} from '../../schema/conversation.ts';
export {
  type ErrorCode,
  type ErrorParams,
  type ErrorReport,
  type ErrorType,
  errorReport,
  GatewayError,
  gatewayError,
} from '../../schema/errors.ts';
export type { InputProblem } from '../../schema/input-problem.ts';
export { invalidInput } from '../../schema/invalid-input.ts';
export { isJsonObject, type Json, type JsonArray, type JsonObject } from '../../schema/json.ts';
export type { LeafNode } from '../../schema/plan.ts';
export { type JsonPointer, toPointer } from '../../schema/pointer.ts';
export { compileRegex, type TextMatcher } from '../../schema/regex.ts';
export type { Origin } from '../../schema/status.ts';
export type { CheckPhase, CheckResult, CircuitState, TrailEvent } from '../../schema/trail.ts';
export type { Cost, InputTokens, OutputTokens, UsageRecord } from '../../schema/usage-record.ts';
export type { AnswerEdit, LeftOut } from './answer-edit.ts';
export type { AttemptStart } from './attempt-start.ts';
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
} from './cache.ts';
export type { CacheHintPlace, CacheHints, PromptCacheRules, PromptPart, TextInsertion } from './cache-hints.ts';
export { defineRoute, type RouteRow } from './define-route.ts';
export {
  type AnswerCodec,
  type ClientCredentials,
  type ClientRoute,
  type ConversationCodec,
  type DecodeAnswer,
  type DecodeRequest,
  type Dialect,
  type DialectDeclaration,
  defineDialect,
  type EncodeAnswer,
  type EncodedRequest,
  type EncodeTarget,
  type EndFrame,
  type Frame,
  type FrameClass,
  type FramingId,
  type ItemNaming,
  type LackedContent,
  type LazyDialect,
  type ListedModel,
  type Loss,
  type ModelList,
  type RequestPath,
  type RequestQuery,
  type StreamDecoder,
  type StreamEncoder,
  type StreamUsage,
  type TextSpan,
  type UsageRequest,
} from './dialect.ts';
export type {
  CallerOverrides,
  ClientRequest,
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
} from './exchange.ts';
export type { FromSchema, ParameterSchema } from './from-schema.ts';
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
} from './guardrail.ts';
export type { CheckOutcome, HookResult, JudgedHook } from './hook-result.ts';
export type { Hooks, Step, StreamStage, StreamStageFactory } from './hooks.ts';
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
} from './http.ts';
export type { InProcess, Timers } from './in-process.ts';
export { defineLazyGuardrail, type LazyGuardrailDefinition } from './lazy-guardrail.ts';
export type { LimitReached } from './limit-reached.ts';
export type { LimitedAttempt, LimitedPlan, LimitedRequest, Limiter, Reservation } from './limiter.ts';
export type { MemberSelection } from './member-selection.ts';
export {
  definePlugin,
  type Plugin,
  type PluginDefinition,
  type PluginPermissions,
  pluginApi,
  sdkVersion,
} from './plugin.ts';
export {
  type AuthorizeContext,
  type Credential,
  defineProvider,
  type Endpoint,
  type EndpointCall,
  type Provider,
  type ProviderLoss,
  type WholeAnswer,
} from './provider.ts';
export type { RefusedKey } from './refused-key.ts';
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
} from './route-row.ts';
export { type BodyScript, type BodyStep, scriptedBody } from './scripted-body.ts';
export type { UnreadAnswer } from './unread-answer.ts';
export { wait } from './wait.ts';
export { wholeBody } from './whole-body.ts';
