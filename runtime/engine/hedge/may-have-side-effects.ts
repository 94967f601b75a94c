import { isStoredByProvider } from '../../../plugins/sdk/models/kept-by-provider.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { LeafNode, Target } from '../../../schema/plan/plan.ts';
import type { LinkContext } from '../call/context.ts';
import { effectiveParams, paramEdits } from '../call/param-edits.ts';
import type { Run } from '../call/run.ts';

type Bodies = (run: Run) => readonly JsonObject[];

/** Returns the bodies that a leaf may send: the client's, or its prompt, with the target's edits. */
const bodiesOf = (target: Target, { prompts }: Pick<LinkContext, 'prompts'>): Bodies => {
  const edits = paramEdits(target);
  const prompt = target.prompt === undefined ? undefined : prompts.get(target.prompt.reference);
  return ({ exchange, dialect }) => {
    const sent = effectiveParams({ exchange, dialect, isChanged: false }, edits);
    return prompt === undefined ? [sent] : [{ ...prompt.fill(exchange.json()), ...edits }];
  };
};

/**
 * Whether a provider might store or do something for a request, so that two calls would do it twice. A request that cannot be
 * read, or that passes through unread, is assumed to.
 */
export const mayHaveSideEffects = (leaves: readonly LeafNode[], context: Pick<LinkContext, 'prompts' | 'plan'>) => {
  const bodies = leaves
    .flatMap(({ target }) => context.plan.targets[target] ?? [])
    .map((target) => bodiesOf(target, context));
  return (run: Run): boolean => {
    const { exchange } = run;
    const { operation, dialect } = exchange.route;
    if (operation === 'opaque' || dialect === undefined || exchange.kept !== undefined) return true;
    if (exchange.request.body.kind === 'stream') return true;
    try {
      return bodies.flatMap((of) => of(run)).some((body) => isStoredByProvider(body, dialect));
    } catch (error) {
      if (error instanceof GatewayError) return true;
      throw error;
    }
  };
};
