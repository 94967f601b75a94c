/** `gatewright/schema`: the contracts as types, and the pure functions that define their meaning. */

export { type CountedInput, cacheHitRate } from './cache-hit-rate.ts';
export { type ContentHash, canonicalJson, hashOf, hashText } from './canonical.ts';
export * from './circuit.ts';
export {
  type Comparison,
  type Condition,
  type ConditionMatcher,
  conditionMatcher,
  type FactPath,
  type Facts,
} from './condition.ts';
export * from './conversation.ts';
export * from './diagnostic.ts';
export { type ErrorCode, type ErrorReport, type ErrorType, errorTable, GatewayError } from './errors.ts';
export { foldAnswer } from './fold-answer.ts';
export type { GatewayHeaders } from './gateway-headers.ts';
export type { Config } from './generated/config.ts';
export type { GatewayFile } from './generated/gateway-file.ts';
export { hashLeaf, hashPlan } from './hash-plan.ts';
export type { Json, JsonArray, JsonObject, NonEmptyArray } from './json.ts';
export { loadPlan, planFeatures } from './load-plan.ts';
export * from './plan.ts';
export { planFileName } from './plan-file-name.ts';
export { PlanLoadError } from './plan-load-error.ts';
export {
  childPointer,
  fromPointer,
  type JsonPointer,
  type PointerToken,
  rootPointer,
  toOptionPath,
  toPointer,
} from './pointer.ts';
export * from './request-script.ts';
export { nothingSaved, type Saved, type SavedProvider } from './saved.ts';
export * from './schedule.ts';
export * from './status.ts';
export * from './trail.ts';
export type { NamesOf, Plan, PlanNames } from './typed-plan.ts';
export type { Cost, InputTokens, OutputTokens, UsageRecord } from './usage-record.ts';
