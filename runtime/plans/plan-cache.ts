import { LRUCache } from 'lru-cache';
import type { Guardrail } from '../../plugins/sdk/guardrail/guardrail.ts';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import type { ServedPlan } from '../plan-generations/served-plan.ts';
import { linkedPlanBytes } from './linked-plan-bytes.ts';

/** A config that the compiler did not accept. */
export interface RefusedPlan {
  readonly refused: readonly Diagnostic[];
}

/** The result for a config: it is linked, or refused. */
export type CompiledPlan = ServedPlan | RefusedPlan;

/** Linked and refused configs, by their texts. */
export type PlanCache = LRUCache<string, CompiledPlan>;

export interface PlanCacheOptions {
  /** Finds a check by its id. */
  readonly check: (id: string) => Guardrail | undefined;
  /** The number of cached configs, including refused ones. */
  readonly entries?: number;
  /** Roughly the bytes that all of them hold together. */
  readonly bytes?: number;
}

/** A diagnostic, without its texts. */
const diagnosticBytes = 1000;

const refusedBytes = ({ refused }: RefusedPlan, text: number): number =>
  refused.reduce((sum, { message, hint = '' }) => sum + diagnosticBytes + (message.length + hint.length) * 2, text * 2);

/** A cache of configs, bounded by their number and by what they hold. */
export const createPlanCache = ({ check, entries = 10_000, bytes = 32 * 1024 * 1024 }: PlanCacheOptions): PlanCache =>
  new LRUCache({
    max: entries,
    maxSize: bytes,
    sizeCalculation: (made, { length: text }) =>
      'refused' in made
        ? refusedBytes(made, text)
        : linkedPlanBytes(made.linked.plan, { text, check }) + (made.linked.promptBytes ?? 0),
  });
