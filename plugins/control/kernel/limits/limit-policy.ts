import type { Reset, Unit } from './unit.ts';

/** Which requests a policy covers: all of its conditions must hold. */
export interface PolicyCondition {
  /**
   * `api_key` (the key's id), `metadata.<k>`, `virtual_key`, `provider`, `config`, `prompt`, `model`, `endpoint_type`,
   * `workspace_id`, `organisation_id`.
   */
  readonly key: string;
  /** One of these; `*` at the beginning, at the end or at both stands for any text, and alone for any value that is there. */
  readonly values: readonly string[];
  /** None of these, which are written in the same way. */
  readonly excludes: readonly string[];
}

/** A limit, as requests need it: a policy, or what a key, a workspace, a provider or a virtual key has of its own. */
export interface LimitPolicy {
  /** A UUID for policies; for others the id of what has the limit, and which of its limits it is. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** Over a usage limit the answer is 412, over a rate limit 429. */
  readonly kind: 'usage' | 'rate';
  readonly conditions: readonly PolicyCondition[];
  /** Each tuple of the values of these keys has a counter; requests that lack one of them are not covered. */
  readonly groupBy: readonly string[];
  readonly unit: Unit;
  /** Whole units. */
  readonly limit: number;
  readonly reset: Reset;
  /** The operator is told once in a window when a counter reaches this; whole units. */
  readonly alertAt?: number;
  /** What happens to a request whose counter cannot be asked, or whose use cannot be measured or priced. */
  readonly ifUnknown: 'allow' | 'refuse';
}

/** The limits that are in force. */
export interface PolicyView {
  /** Those of a workspace and of its organisation. The same list as long as nothing has changed. */
  findPolicies(workspace: string, organisation: string): readonly LimitPolicy[];
}
