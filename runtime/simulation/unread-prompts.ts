import type { StoredPrompts } from '../../plugins/sdk/control-plane/stored-prompt.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';

/** Returns the stored prompts that a plan names without reading them: scripted upstreams receive the request itself. */
export const unreadPrompts = ({ targets }: Pick<RoutingPlan, 'targets'>): StoredPrompts =>
  new Map(
    targets.flatMap(({ prompt }) =>
      prompt === undefined
        ? []
        : [
            [
              prompt.reference,
              { ...prompt, slug: prompt.reference, virtualKey: '', bytes: 0, fill: (body) => body },
            ] as const,
          ],
    ),
  );
