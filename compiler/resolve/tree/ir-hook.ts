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
  /** The guardrail that is saved under this slug: what it holds stands in another file. */
  readonly savedAs?: string;
}

export interface IrCheck {
  /** As the config spells it, with its prefix. */
  readonly name: string;
  readonly guardrail?: Guardrail;
  readonly id: string;
  /** As they are written, without `failOnError`, `timeout` and `id` unless the check has parameters of those names. */
  readonly parameters: JsonObject;
  /** Absent where they were not valid. */
  readonly valid?: JsonObject;
  /** The secrets of `valid`, by their places in it; there, each is an empty text. */
  readonly secrets: ReadonlyMap<JsonPointer, string>;
  /** Where its parameters stand in the config; absent for those of a saved guardrail. */
  readonly parametersAt?: JsonPointer;
  readonly failOnError: boolean;
  readonly timeoutMs?: number;
  readonly retries?: true;
  /** Where its name stands. */
  readonly pointer: JsonPointer;
}
