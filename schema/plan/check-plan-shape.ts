import { hedgeError } from '../config/hedge.ts';
import { isJsonObject, type Json, type JsonObject, writtenText } from '../json/json.ts';
import { circuitDivisions, isMirrorPercent, type RoutingPlan, stageOrder } from './plan.ts';
import { PlanLoadError } from './plan-load-error.ts';
import { requestBoundError } from './request-bounds.ts';
import { targetSettingError } from './target-settings.ts';

const broken = (where: string, what: string): PlanLoadError =>
  new PlanLoadError(`The plan is broken at ${where}: ${what}. Compile the config again.`);

const objectAt = (value: unknown, where: string): JsonObject => {
  if (!isJsonObject(value)) throw broken(where, 'an object belongs here');
  return value;
};

const listAt = (value: unknown, where: string): readonly Json[] => {
  if (!Array.isArray(value)) throw broken(where, 'a list belongs here');
  return value;
};

const textAt = (value: unknown, where: string): string => {
  if (typeof value !== 'string') throw broken(where, 'a text belongs here');
  return value;
};

const indexAt = (value: unknown, length: number, where: string): void => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= length)
    throw broken(where, `a whole number from 0 to ${length - 1} belongs here`);
};

const weightAt = (value: unknown, where: string): void => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw broken(where, 'a whole number of at least 0 belongs here');
};

const order: readonly string[] = stageOrder;

const checkDivisions = (by: Json | undefined, where: string): void => {
  if (by === undefined) return;
  const known: readonly Json[] = circuitDivisions;
  if (!Array.isArray(by) || by.length === 0 || by.some((division) => !known.includes(division)))
    throw broken(where, `a list of ${circuitDivisions.join(', ')} belongs here`);
};

const checkProbe = (value: Json | undefined, where: string): void => {
  if (value === undefined) return;
  const { path, everyMs } = objectAt(value, where);
  textAt(path, `${where}/path`);
  if (typeof everyMs !== 'number' || everyMs <= 0) throw broken(`${where}/everyMs`, 'a number above 0 belongs here');
};

/** Checks that each kind occurs at most once, in the required order. */
const checkStages = (value: unknown, where: string): void => {
  let last = -1;
  for (const [index, stage] of listAt(value, where).entries()) {
    const { kind: given, by, probe } = objectAt(stage, `${where}/${index}`);
    const kind = textAt(given, `${where}/${index}/kind`);
    const place = order.indexOf(kind);
    if (place === -1) throw broken(`${where}/${index}`, `this build knows no stage "${kind}"`);
    checkDivisions(by, `${where}/${index}/by`);
    checkProbe(probe, `${where}/${index}/probe`);
    if (place <= last) throw broken(where, `the stages are not in the order ${stageOrder.join(', ')}`);
    last = place;
  }
};

const checkLeaf = (leaf: JsonObject, targets: number, where: string): void => {
  textAt(leaf.hash, `${where}/hash`);
  indexAt(leaf.target, targets, `${where}/target`);
  checkStages(leaf.stages, `${where}/stages`);
  objectAt(leaf.needs, `${where}/needs`);
};

const branchesAt = (node: JsonObject, where: string): readonly Json[] => {
  const branches = listAt(node.branches, `${where}/branches`);
  if (branches.length === 0) throw broken(`${where}/branches`, 'at least one branch belongs here');
  return branches;
};

const checkWeights = (node: JsonObject, targets: number, where: string): void => {
  for (const [index, item] of branchesAt(node, where).entries()) {
    const { weight, node: branch } = objectAt(item, `${where}/branches/${index}`);
    weightAt(weight, `${where}/branches/${index}/weight`);
    checkNode(branch, targets, `${where}/branches/${index}/node`);
  }
};

const checkSticky = (value: Json, where: string): void => {
  const { by, ttlS } = objectAt(value, where);
  textAt(by, `${where}/by`);
  weightAt(ttlS, `${where}/ttlS`);
};

const checkRequire = ({ require }: JsonObject, where: string): void => {
  if (require !== undefined && require !== 'capabilities')
    throw broken(`${where}/require`, '"capabilities" belongs here');
};

const checkHedge = (value: Json, where: string): void => {
  const error = hedgeError(objectAt(value, where));
  if (error !== undefined) throw broken(`${where}/${error.name}`, `${error.expected} belongs here`);
};

const checkBranches = (node: JsonObject, targets: number, where: string): void => {
  for (const [index, branch] of branchesAt(node, where).entries())
    checkNode(branch, targets, `${where}/branches/${index}`);
};

const checkMirrors = (value: Json, targets: number, where: string): void => {
  for (const [index, item] of listAt(value, where).entries()) {
    const { path, percent, leaf } = objectAt(item, `${where}/${index}`);
    textAt(path, `${where}/${index}/path`);
    if (!isMirrorPercent(percent))
      throw broken(`${where}/${index}/percent`, 'a number from 0.0001 to 100 belongs here');
    const called = objectAt(leaf, `${where}/${index}/leaf`);
    textAt(called.path, `${where}/${index}/leaf/path`);
    checkLeaf(called, targets, `${where}/${index}/leaf`);
  }
};

const checkNode = (value: unknown, targets: number, where: string): void => {
  const node = objectAt(value, where);
  textAt(node.path, `${where}/path`);
  if (node.mirrors !== undefined) checkMirrors(node.mirrors, targets, `${where}/mirrors`);
  switch (node.kind) {
    case 'leaf':
      checkLeaf(node, targets, where);
      break;
    case 'loadbalance':
      checkRequire(node, where);
      if (node.balance !== undefined) textAt(node.balance, `${where}/balance`);
      if (node.sticky !== undefined) checkSticky(node.sticky, `${where}/sticky`);
      checkWeights(node, targets, where);
      break;
    case 'fallback':
      checkRequire(node, where);
      objectAt(node.on, `${where}/on`);
      if (node.continues !== undefined && node.continues !== true)
        throw broken(`${where}/continues`, 'true belongs here');
      if (node.hedge !== undefined) checkHedge(node.hedge, `${where}/hedge`);
      checkBranches(node, targets, where);
      break;
    case 'conditional':
      checkBranches(node, targets, where);
      checkCases(node, branchesAt(node, where).length, where);
      break;
    default:
      throw broken(`${where}/kind`, `this build knows no node "${writtenText(node.kind ?? null)}"`);
  }
};

const checkCases = (node: JsonObject, branches: number, where: string): void => {
  indexAt(node.otherwise, branches, `${where}/otherwise`);
  for (const [index, item] of listAt(node.cases, `${where}/cases`).entries()) {
    const { when, branch } = objectAt(item, `${where}/cases/${index}`);
    objectAt(when, `${where}/cases/${index}/when`);
    indexAt(branch, branches, `${where}/cases/${index}/branch`);
  }
};

const checkKeys = (value: Json | undefined, where: string): void => {
  const keys = listAt(value, where);
  for (const [index, item] of keys.entries()) {
    const { apiKey, weight } = objectAt(item, `${where}/${index}`);
    objectAt(apiKey, `${where}/${index}/apiKey`);
    weightAt(weight, `${where}/${index}/weight`);
  }
  if (!keys.some((item) => isJsonObject(item) && Number(item.weight) > 0))
    throw broken(where, 'a key with a weight above 0 belongs here');
};

const checkTarget = (value: unknown, where: string): void => {
  const target = objectAt(value, where);
  if (isJsonObject(target.credential) && target.credential.kind === 'keys')
    checkKeys(target.credential.keys, `${where}/credential/keys`);
  textAt(target.id, `${where}/id`);
  for (const member of ['from', 'upstream', 'settings', 'headers', 'params'] as const)
    objectAt(target[member], `${where}/${member}`);
  const error = targetSettingError(target);
  if (error !== undefined) throw broken(`${where}/${error.name}`, `${error.expected} belongs here`);
};

/**
 * Checks that a value of this format has the shape of a plan, as far as linking depends on it; its hash covers the rest.
 * Throws a `PlanLoadError` that names the place.
 */
export function checkPlanShape(value: unknown): asserts value is RoutingPlan {
  const plan = objectAt(value, 'its root');
  textAt(plan.name, '/name');
  textAt(plan.hash, '/hash');
  listAt(plan.sources, '/sources');
  const { plugins, features, secrets, hosts } = objectAt(plan.requires, '/requires');
  const { providers, checks, caches, choosers = [], integrity = {} } = objectAt(plugins, '/requires/plugins');
  for (const list of [features, secrets, hosts, providers, checks, caches, choosers]) listAt(list, '/requires');
  for (const [name, hash] of Object.entries(objectAt(integrity, '/requires/plugins/integrity')))
    textAt(hash, `/requires/plugins/integrity/${name}`);
  objectAt(plan.bounds, '/bounds');
  const bound = requestBoundError(plan);
  if (bound !== undefined) throw broken(`/${bound.name}`, `${bound.expected} belongs here`);
  const targets = listAt(plan.targets, '/targets');
  for (const [index, target] of targets.entries()) checkTarget(target, `/targets/${index}`);
  checkNode(plan.root, targets.length, '/root');
}
