import { hashValue } from '../../../schema/json/canonical.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { hashPlan } from '../../../schema/plan/hash-plan.ts';
import type { LeafNode, PlanNode, RoutingPlan, Target } from '../../../schema/plan/plan.ts';

/** A target of `openai` with its key in an environment variable. */
export const sampleTarget = (id: string, variable = 'OPENAI_API_KEY'): Target => ({
  id,
  from: { kind: 'inline', provider: 'openai' },
  credential: { kind: 'fields', fields: { api_key: { kind: 'reference', ref: `\${env:${variable}}` } } },
  upstream: { kind: 'provider' },
  settings: {},
  headers: { forward: [] },
  params: { override: {} },
  strict: true,
});

/** A leaf at `targets[index]` of its config. */
export const sampleLeaf = (index: number, stages: LeafNode['stages'] = []): LeafNode => ({
  kind: 'leaf',
  path: toPointer(['targets', index]),
  hash: hashValue([index, stages]),
  target: index,
  stages,
  needs: { request: 'pass', answer: 'pass', because: [] },
});

/** Creates a complete plan from a root. By default, one leaf with a breaker and a retry. */
export const samplePlan = (
  root: PlanNode = sampleLeaf(0, [
    { kind: 'breaker', threshold: 5, cooldownMs: 30_000, failures: { kind: 'breaker-default' } },
    { kind: 'retry', attempts: 2, on: [429, 500], useRetryAfter: false },
  ]),
  targets: readonly Target[] = [sampleTarget('main')],
): RoutingPlan => {
  const plan: Omit<RoutingPlan, 'hash'> = {
    format: 1,
    name: 'sample',
    sources: [{ file: 'configs/sample.json', hash: hashValue('') }],
    requires: {
      features: ['breaker', 'retry'],
      plugins: { providers: ['openai'], checks: [], caches: [] },
      secrets: [`\${env:OPENAI_API_KEY}`],
      hosts: ['api.openai.com:443'],
    },
    bounds: { calls: 3, waitMs: 1_803_000, targets: targets.map(({ id }) => id).sort() },
    readsParams: false,
    targets,
    root,
  };
  return { ...plan, hash: hashPlan(plan) };
};
