import type { Dialect, Loss } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { listLeaves } from '../../../schema/plan/list-leaves.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { calledProvider, type ServedLeaf, servedLeaf } from './served-leaf.ts';

/** Losses that are possible on one way, with the reason for each. */
export interface PossibleLosses {
  readonly of: 'requests' | 'answers' | 'provider';
  /** The dialect that they are translated to, or the provider. */
  readonly id: string;
  readonly losses: readonly Loss[];
}

/** Members of an answer. All others belong to a conversation. */
const answerMembers: ReadonlySet<string> = new Set(['id', 'model', 'created', 'choices', 'usage']);

const isOfAnswers = ({ member }: Loss): boolean => answerMembers.has(member.split('.', 1)[0] ?? '');

const toLosses = ({ id, conversation, conversationClient }: Dialect, of: 'requests' | 'answers'): PossibleLosses => ({
  of,
  id,
  losses: ((conversation ?? conversationClient)?.losses ?? []).filter(
    (loss) => isOfAnswers(loss) === (of === 'answers'),
  ),
});

const translatedTo = (served: ServedLeaf): readonly Dialect[] => {
  if (served.kind === 'translated') return [served.to];
  return served.kind === 'by-model' ? served.to : [];
};

/** Returns everything that the clients of a dialect may lose in a plan, each way once. Without translation, nothing is lost. */
export const possibleLosses = (
  { root, targets }: RoutingPlan,
  client: Dialect,
  catalogue: Catalogue,
): readonly PossibleLosses[] => {
  const reached = listLeaves(root).flatMap(({ target }) => targets[target] ?? []);
  const upstream = new Set<Dialect>();
  const declared = new Map<string, PossibleLosses>();
  for (const target of reached) {
    const served = servedLeaf(target, client, catalogue);
    for (const dialect of translatedTo(served)) upstream.add(dialect);
    const { id, losses = [] } = calledProvider(target, catalogue)?.provider ?? {};
    if (id !== undefined && served.kind !== 'not-served') declared.set(id, { of: 'provider', id, losses });
  }
  const requests = [...upstream].map((dialect) => toLosses(dialect, 'requests'));
  // Anything that conversations cannot express is lost, whatever the dialect.
  const unsaid = upstream.size === 0 || client.conversationClient === undefined ? [] : [toLosses(client, 'requests')];
  const answers = upstream.size === 0 ? [] : [toLosses(client, 'answers')];
  return [...unsaid, ...requests, ...answers, ...declared.values()].filter(({ losses }) => losses.length > 0);
};
