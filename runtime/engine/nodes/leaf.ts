import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { LeafNode, Target } from '../../../schema/plan/plan.ts';
import { findStage } from '../../../schema/plan/stages.ts';
import { LeafCall } from '../call/leaf-call.ts';
import { paramEdits } from '../call/param-edits.ts';
import type { ReachedLeaf, Run } from '../call/run.ts';
import { curableReport } from '../error-responses/curable-report.ts';
import { errorResponse } from '../error-responses/error-response.ts';
import { linkStages } from '../stages/link-stages.ts';
import type { PlanContext } from '../stages/plan-context.ts';
import { linkTarget } from '../target/linked-target.ts';
import { leafPrompt } from './leaf-prompt.ts';
import type { LinkedNode } from './linked-node.ts';

/** If a request has its own form for the saved provider that its leaf calls, the leaf sends that form. */
const enterOwnForm = (call: LeafCall): void => {
  const own = call.originalExchange.kept?.ownForm;
  if (own !== undefined && own.slug === call.slug) call.replace(own.body, own.bytes);
};

/** A plan's indexes are checked when it is loaded. */
const toTarget = (node: LeafNode, targets: readonly Target[]): Target => {
  const target = targets[node.target];
  if (target === undefined) throw new RangeError(`The leaf at "${node.path}" names target ${node.target}.`);
  return target;
};

/** Links a target with the stages around its attempts. An error that another branch might avoid becomes the leaf's answer. */
export const linkLeaf = (node: LeafNode, context: PlanContext): LinkedNode => {
  const target = toTarget(node, context.plan.targets);
  const resolve = linkTarget(target, context);
  const { meters } = context;
  const slug = target.from.kind === 'saved' ? target.from.slug : undefined;
  const enter = leafPrompt(node, target, context);
  const breakers = findStage(node, 'breaker') && context.stageCode.breakers();
  const circuits = breakers?.linkCircuits(node, target, context);
  const isAvailable = circuits && breakers?.circuitReader(circuits, context, resolve);
  const wouldProbe = circuits && breakers?.probeReader(circuits, context, resolve);

  const refused = (error: unknown, run: Run): GatewayResponse => {
    const report = curableReport(error);
    const provider = target.from.kind === 'request' ? run.exchange.overrides.provider : undefined;
    return errorResponse(report, {
      dialect: run.dialect,
      leaf: {
        path: node.path,
        provider: provider ?? ('provider' in target.from ? target.from.provider : ''),
        retries: 0,
        cache: 'DISABLED',
      },
    });
  };

  const failed = (error: unknown, call: LeafCall): GatewayResponse =>
    call.attempts === 0 ? refused(error, call.run) : call.refuse(curableReport(error));
  const answer = linkStages({ leaf: node, target, context, circuits }, failed);

  const available = (run: Run): boolean => isAvailable === undefined || run.availability(node.path, isAvailable);

  const findProvider = (run: Run): string | undefined => {
    try {
      return resolve(run.exchange).provider.id;
    } catch {
      // The error is reported when the leaf is executed.
      return undefined;
    }
  };

  const prompt = target.prompt && context.prompts.get(target.prompt.reference);
  const reached: readonly ReachedLeaf[] = [{ leaf: node, target, resolve, edits: paramEdits(target), prompt }];

  return {
    hasCircuit: circuits !== undefined,
    available,
    reaches: () => reached,
    mayProbe: (run) => wouldProbe?.(run) === true,
    calls: (name, run) => slug === name && available(run),
    callsOnly: (provider, run) => findProvider(run) === provider,
    execute(run) {
      const declined = run.continuation?.declined(node);
      if (declined !== undefined) return Promise.resolve(refused(declined, run));
      let call: LeafCall;
      try {
        call = new LeafCall(run, node, { target: resolve(run.exchange), slug, isMetered: meters(run.exchange) });
        run.calls?.set(node.path, call);
        enterOwnForm(call);
        enter?.(call);
      } catch (error) {
        return Promise.resolve(refused(error, run));
      }
      return answer(call);
    },
  };
};
