import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { formatList } from '../../../schema/text/format-list.ts';
import { calledProvider, type ServedLeaf, servedLeaf } from './served-leaf.ts';

const toIds = (dialects: readonly Dialect[]): readonly string[] => dialects.map(({ id }) => id);

const estimated = 'estimated by the gateway, nothing is sent';

const describeByModel = ({ same, to, isEstimated }: Extract<ServedLeaf, { kind: 'by-model' }>): string => {
  const own = same ? ['the same dialect'] : [];
  const rest = to.length === 0 ? [isEstimated ? estimated : 'not served (501)'] : [];
  const others = to.length === 0 ? rest : [`translated to ${formatList(toIds(to), 'or')}`];
  return formatList([...own, ...others], 'or');
};

const describeServed = (served: ServedLeaf): string => {
  switch (served.kind) {
    case 'same':
      return 'the same dialect, nothing is translated';
    case 'translated': {
      const without = served.without.length === 0 ? '' : `, without ${formatList(served.without)}`;
      return `translated to ${served.to.id}${without}`;
    }
    case 'passed':
      return 'passed through as it is, since the gateway does not know whether the provider has it';
    case 'estimated':
      return estimated;
    case 'not-served':
      return 'not served (501)';
    case 'by-model':
      return `${describeByModel(served)}, as the model of the request requires`;
    case 'by-caller':
      return 'as the provider that the caller names speaks it';
    case 'unknown':
      return 'not known, because the plugin of the provider is not loaded';
  }
};

/** Describes the dialects of a target in one line; empty if they are unknown. */
const describeSpoken = (target: Target, catalogue: Catalogue): readonly string[] => {
  const called = calledProvider(target, catalogue);
  if (called === undefined || called.spoken.length === 0) return [];
  const { byModel } = called;
  const conversing = called.spoken.filter(({ operation }) => operation === 'converse');
  // A provider with conversations may have many more formats, which gw providers kinds lists.
  const spoken = conversing.length === 0 ? called.spoken : conversing;
  if (byModel) return [`speaks ${formatList(toIds(spoken), 'or')}, as the model of the request requires`];
  const first = spoken.find(({ conversation }) => conversation !== undefined);
  const rest =
    first === undefined ? 'nothing is translated' : `requests in other dialects are translated to ${first.id}`;
  return [`speaks ${formatList(toIds(spoken))}; ${rest}`];
};

/** Describes how a target serves the clients of a dialect; without a client, which dialects the target speaks. */
export const describeDialect = (
  target: Target,
  catalogue: Catalogue,
  client: Dialect | undefined,
): readonly string[] =>
  client === undefined
    ? describeSpoken(target, catalogue)
    : [`${client.id}: ${describeServed(servedLeaf(target, client, catalogue))}`];
