/** `gatewright/schema`: the contracts as types, and the pure functions that define their meaning. */

export { nothingSaved, type Saved, type SavedProvider } from './config/saved.ts';
export * from './conversation/conversation.ts';
export { foldAnswer } from './conversation/fold-answer.ts';
export * from './errors/diagnostic.ts';
export { type ErrorCode, type ErrorReport, type ErrorType, errorTable, GatewayError } from './errors/errors.ts';
export type { Config } from './generated/config.ts';
export type { GatewayFile } from './generated/gateway-file.ts';
export type { GatewayHeaders } from './http/gateway-headers.ts';
export * from './http/status.ts';
export { type ContentHash, canonicalJson, hashText, hashValue as hashOf } from './json/canonical.ts';
export type { Json, JsonArray, JsonObject, NonEmptyArray } from './json/json.ts';
export {
  childPointer,
  fromPointer,
  type JsonPointer,
  type PointerToken,
  rootPointer,
  toOptionPath,
  toPointer,
} from './json/pointer.ts';
export * from './plan/circuits/circuit.ts';
export * from './plan/circuits/circuit-names.ts';
export type {
  Comparison,
  Condition,
  ConditionTest,
  ElementMatch,
  ElementPath,
  FactPath,
  Facts,
} from './plan/condition.ts';
export { type ConditionMatcher, conditionMatcher } from './plan/condition-matcher.ts';
export { hashLeaf, hashPlan } from './plan/hash-plan.ts';
export { loadPlan } from './plan/load-plan.ts';
export * from './plan/plan.ts';
export { planFeatures } from './plan/plan-features.ts';
export { planFileName } from './plan/plan-file-name.ts';
export { PlanLoadError } from './plan/plan-load-error.ts';
export * from './plan/schedule.ts';
export type { NamesOf, Plan, PlanNames } from './plan/typed-plan.ts';
export * from './trail/circuit-name.ts';
export * from './trail/request-script.ts';
export * from './trail/trail.ts';
export { type CountedInput, cacheHitRate } from './usage/cache-hit-rate.ts';
export type { Cost, InputTokens, OutputTokens, UsageRecord } from './usage/usage-record.ts';
