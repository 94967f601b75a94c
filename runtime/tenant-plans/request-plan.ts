import { rootPointer } from '../../schema/json/pointer.ts';
import { hashLeaf, hashPlan } from '../../schema/plan/hash-plan.ts';
import { type LeafNode, planFormat, type RoutingPlan, type Target } from '../../schema/plan/plan.ts';
import { defaultTimeoutMs } from '../../schema/plan/schedule.ts';

const id = 'request';

const target: Target = {
  id,
  from: { kind: 'request' },
  credential: { kind: 'request' },
  upstream: { kind: 'provider' },
  settings: {},
  headers: { forward: [] },
  params: { override: {} },
  strict: true,
};

const root: LeafNode = {
  kind: 'leaf',
  path: rootPointer,
  hash: hashLeaf(target, []),
  target: 0,
  stages: [],
  needs: { request: 'pass', answer: 'pass', because: [] },
};

const content: Omit<RoutingPlan, 'hash'> = {
  format: planFormat,
  name: id,
  sources: [],
  requires: { features: [], plugins: { providers: [], checks: [], caches: [] }, secrets: [], hosts: [] },
  bounds: { calls: 1, waitMs: defaultTimeoutMs, targets: [id] },
  readsParams: false,
  targets: [target],
  root,
};

/** The plan of a request without a config: one attempt at the provider that the caller's headers name. */
export const requestPlan: RoutingPlan = { ...content, hash: hashPlan(content) };
