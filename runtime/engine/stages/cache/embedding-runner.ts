import type { RoutingPlan } from '../../../../schema/plan/plan.ts';
import type { RunEmbedding } from './embedder.ts';

/** A linked plan. */
interface RunningPlan {
  execute: RunEmbedding;
}

export interface EmbeddingRunnerOptions {
  readonly plan: () => Promise<RoutingPlan>;
  readonly link: (plan: RoutingPlan) => RunningPlan;
}

/**
 * Runs requests through the plan whose provider creates vectors. The plan is loaded and linked once, and again after a failure.
 */
export const embeddingRunner = ({ plan, link }: EmbeddingRunnerOptions): RunEmbedding => {
  let linked: Promise<RunningPlan> | undefined;
  const load = async (): Promise<RunningPlan> => link(await plan());
  return async (exchange) => {
    linked ??= load().catch((error: unknown) => {
      linked = undefined;
      throw error;
    });
    return (await linked).execute(exchange);
  };
};
