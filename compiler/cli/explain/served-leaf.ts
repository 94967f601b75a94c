import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { readDrop } from '../../../plugins/sdk/provider/read-drop.ts';
import { estimateFor, pairing, resolveServed, type Served } from '../../../plugins/sdk/provider/resolve-served.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { targetModel, targetProvider } from '../../../schema/plan/target-model.ts';

/** The provider and model that a target calls, as far as the plan determines them. */
export interface CalledProvider {
  readonly provider: Provider;
  /** The dialects that it speaks with the model of the plan, or with any model if the request names the model. */
  readonly spoken: readonly Dialect[];
  /** Whether the dialect depends on a model that the plan does not name. */
  readonly byModel: boolean;
}

/** Returns the provider that a target calls; undefined if the caller names the provider, or if its plugin is not loaded. */
export const calledProvider = (target: Target, { providers, dialects }: Catalogue): CalledProvider | undefined => {
  const { settings } = target;
  const provider = providers.get(targetProvider(target) ?? '');
  if (provider === undefined) return undefined;
  const model = targetModel(target);
  const byModel = provider.dialectsOf !== undefined && model === undefined;
  const ids = (byModel ? undefined : provider.dialectsOf?.(model, settings)) ?? Object.keys(provider.speaks);
  return { provider, spoken: ids.flatMap((id) => dialects.get(id) ?? []), byModel };
};

/** How a target serves the clients of a dialect. */
export type ServedLeaf =
  | { readonly kind: 'same' }
  | { readonly kind: 'translated'; readonly to: Dialect; readonly without: readonly string[] }
  /** Forwarded unchanged; the gateway does not know whether the provider supports it. */
  | { readonly kind: 'passed' }
  /** Answered by the gateway itself, without a call. */
  | { readonly kind: 'estimated' }
  | { readonly kind: 'not-served' }
  /** Depends on the model of the request: in the same dialect for some models, translated for others. */
  | {
      readonly kind: 'by-model';
      readonly same: boolean;
      readonly to: readonly Dialect[];
      readonly isEstimated: boolean;
    }
  /** Depends on the provider that the caller names. */
  | { readonly kind: 'by-caller' }
  /** The plugin of its provider is not loaded. */
  | { readonly kind: 'unknown' };

const toLeaf = (served: Served, without: readonly string[]): ServedLeaf => {
  switch (served.kind) {
    case 'same':
      return { kind: 'same' };
    case 'translate':
    case 'count':
    case 'operation':
      return { kind: 'translated', to: served.upstream, without };
    case 'passed':
      return { kind: 'passed' };
    case 'estimate':
      return { kind: 'estimated' };
    case 'none':
      return { kind: 'not-served' };
  }
};

const anyOf = (spoken: readonly Dialect[], client: Dialect): ServedLeaf => {
  const same = spoken.includes(client);
  const to = spoken.filter((dialect) => dialect !== client && pairing(client, dialect) !== undefined);
  const isEstimated = estimateFor(client, spoken) !== undefined;
  if (same || to.length > 0) return { kind: 'by-model', same, to, isEstimated };
  return { kind: isEstimated ? 'estimated' : 'not-served' };
};

export const servedLeaf = (target: Target, client: Dialect, catalogue: Catalogue): ServedLeaf => {
  const called = calledProvider(target, catalogue);
  if (called === undefined) return { kind: target.from.kind === 'request' ? 'by-caller' : 'unknown' };
  const { provider, spoken, byModel } = called;
  if (byModel) return anyOf(spoken, client);
  const ids = spoken.map(({ id }) => id);
  return toLeaf(
    resolveServed(client.id, { provider, spoken: ids, findDialect: (id) => catalogue.dialects.get(id) }),
    readDrop(provider, target.settings),
  );
};
