import type { Guardrail } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { CheckHook } from '../../../schema/plan/plan.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';

/** A hook or a guardrail; later phases do not distinguish them. */
export interface IrHook extends Omit<CheckHook, 'checks'> {
  readonly pointer: JsonPointer;
  readonly phase: CheckPhase;
  readonly checks: readonly IrCheck[];
  /** The slug under which the guardrail is saved. Its contents are in another file. */
  readonly savedAs?: string;
}

export interface IrCheck {
  /** The name as the config spells it, with its prefix. */
  readonly name: string;
  readonly guardrail?: Guardrail;
  readonly id: string;
  /** The parameters as written, without `failOnError`, `timeout` and `id` unless the check has parameters with those names. */
  readonly parameters: JsonObject;
  /** Absent if they were not valid. */
  readonly valid?: JsonObject;
  /** The secrets of `valid`, by their places in it, where they are replaced by empty strings. */
  readonly secrets: ReadonlyMap<JsonPointer, string>;
  /** The place of its parameters in the config; absent for those of a saved guardrail. */
  readonly parametersAt?: JsonPointer;
  readonly failOnError: boolean;
  readonly timeoutMs?: number;
  readonly retries?: true;
  /** The place of its name. */
  readonly pointer: JsonPointer;
}
