import { LRUCache } from 'lru-cache';
import type { Guardrail } from '../../plugins/sdk/guardrail/guardrail.ts';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import type { ServedPlan } from '../file-plans/served-plan.ts';
import { linkedPlanBytes } from './linked-plan-bytes.ts';

/** A config that the compiler did not accept. */
export interface RefusedPlan {
  readonly refused: readonly Diagnostic[];
  /** The name of the saved config; absent if the caller sent the config, or headers from which it was created. */
  readonly saved?: string;
}

/** The result for a config: linked, or refused. */
export type CompiledPlan = ServedPlan | RefusedPlan;

/** Linked and refused configs, by text. */
export interface PlanCache {
  get(key: string): CompiledPlan | undefined;
  set(key: string, plan: CompiledPlan): unknown;
}

export interface PlanCacheOptions {
  /** Finds a check by its id. */
  readonly check: (id: string) => Guardrail | undefined;
  /** The number of cached configs, including refused ones. */
  readonly entries?: number;
  /** Their approximate total size, in bytes. */
  readonly bytes?: number;
}

/** The size of a diagnostic without its texts. */
const diagnosticBytes = 1000;

const refusedBytes = ({ refused }: RefusedPlan, text: number): number =>
  refused.reduce((sum, { message, hint = '' }) => sum + diagnosticBytes + (message.length + hint.length) * 2, text * 2);

/** Creates a cache of configs with a limited number and total size. */
export const createPlanCache = ({ check, entries = 10_000, bytes = 32 * 1024 * 1024 }: PlanCacheOptions): PlanCache =>
  new LRUCache<string, CompiledPlan>({
    max: entries,
    maxSize: bytes,
    sizeCalculation: (made, { length: text }) =>
      'refused' in made
        ? refusedBytes(made, text)
        : linkedPlanBytes(made.linked.plan, { text, check }) + (made.linked.promptBytes ?? 0),
  });
