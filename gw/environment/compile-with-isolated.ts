import type { Linkable } from '../../plugins/host/isolation/when-answered.ts';
import { whenLoaded } from '../../plugins/sdk/loading/when-loaded.ts';
import type { CompileResult, RoutingPlan } from '../../schema/plan/plan.ts';

/** Lets isolated plugins answer in advance what the linker will ask about a plan. */
export const prepare = async (isolated: readonly Linkable[], { root }: RoutingPlan): Promise<void> => {
  const [{ whenChecksAnswer }, { listCalledLeaves }, { listChecks }] = await Promise.all([
    import('../../plugins/host/isolation/when-answered.ts'),
    import('../../schema/plan/list-leaves.ts'),
    import('../../schema/plan/stages.ts'),
  ]);
  await whenChecksAnswer(
    isolated,
    listCalledLeaves(root).flatMap(({ stages }) => stages.flatMap(listChecks)),
  );
};

/**
 * Compiles with the answers of isolated plugins about the config, and with the checks that it names loaded, so that the plan can
 * be linked.
 */
export const compileWithIsolated = async <Result extends CompileResult>(
  isolated: readonly Linkable[],
  compile: () => Result,
): Promise<Result> => {
  const { whenAnswered } = await import('../../plugins/host/isolation/when-answered.ts');
  const result = await whenLoaded(() => whenAnswered(isolated, compile));
  if (result.plan !== undefined) await prepare(isolated, result.plan);
  return result;
};
