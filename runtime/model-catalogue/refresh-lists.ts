import type { ListedFacts, ProviderModelList } from '../../plugins/sdk/models/plugin-models.ts';
import { type FindList, findLists } from '../../plugins/sdk/plugin/find-lists.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import { GatewayError } from '../../schema/errors/errors.ts';
import type { Target } from '../../schema/plan/plan.ts';
import { targetProvider } from '../../schema/plan/target-model.ts';
import { errorText } from '../../schema/text/error-text.ts';
import type { PreparedTarget } from '../engine/target/prepared-target.ts';
import type { Clock } from '../ports/clock.ts';
import { readProviderList } from './read-provider-list.ts';

/** A target in an operator's text, and the secrets written in that text, by slot. */
export interface OwnTarget {
  readonly target: Target;
  readonly slots: readonly string[];
}

/** The outcome of reading the list of a provider, identified by its id, or as `@slug` if it is at its own address. */
export type ListOutcome =
  | { readonly kind: 'read'; readonly provider: string; readonly models: readonly ListedFacts[] }
  /** Not requested: there is no list, or no credential. `why` is a sentence. */
  | { readonly kind: 'skipped'; readonly provider: string; readonly why: string }
  | { readonly kind: 'failed'; readonly provider: string; readonly why: string };

export interface RefreshOptions {
  readonly targets: readonly OwnTarget[];
  readonly plugins: readonly Plugin[];
  /** Throws the `GatewayError` that says why a target cannot be called. */
  readonly prepare: (target: Target, slots: readonly string[]) => PreparedTarget;
  readonly clock: Clock;
}

/** How many lists are read at a time. */
const atOnce = 8;

interface ListSource {
  readonly provider: string;
  readonly target: PreparedTarget;
  readonly list: ProviderModelList;
}

interface FindOptions extends Pick<RefreshOptions, 'prepare'> {
  readonly findProvider: (id: string) => Provider | undefined;
  readonly findList: FindList;
}

type Skipped = Extract<ListOutcome, { kind: 'skipped' }>;

const skipped = (provider: string, why: string): Skipped => ({ kind: 'skipped', provider, why });

/** Returns the list of a target's provider. Undefined if it has none, such as an in-process provider. */
const toSource = (
  { target, slots }: OwnTarget,
  { prepare, findProvider, findList }: FindOptions,
): ListSource | Skipped | undefined => {
  const { from, upstream, credential } = target;
  if (credential?.kind === 'request') return undefined;
  const provider = findProvider(targetProvider(target) ?? '');
  if (provider === undefined || provider.inProcess !== undefined) return undefined;
  const isElsewhere = upstream.kind === 'custom' || typeof provider.baseUrl !== 'string';
  const name = isElsewhere && from.kind === 'saved' ? `@${from.slug}` : provider.id;
  if (isElsewhere && from.kind === 'inline')
    return skipped(
      name,
      'Its address is in a config. Save the provider in the gateway file, so that its models have a name.',
    );
  const list = findList(provider);
  if (list === undefined || provider.authorize !== undefined)
    return skipped(name, 'The gateway cannot read its list of models.');
  try {
    return { provider: name, target: prepare(target, slots), list };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return skipped(name, error.report.code === 'missing-credential' ? 'Its credential is not set.' : error.message);
  }
};

const readOne = async ({ provider, target, list }: ListSource, clock: Clock): Promise<ListOutcome> => {
  try {
    return { kind: 'read', provider, models: await readProviderList(target, list, clock) };
  } catch (error) {
    return { kind: 'failed', provider, why: errorText(error) };
  }
};

/** Reads the lists of the providers of targets, each once per credential. Never rejects because of a provider. */
export const refreshLists = async ({
  targets,
  plugins,
  prepare,
  clock,
}: RefreshOptions): Promise<readonly ListOutcome[]> => {
  const providers = new Map(plugins.flatMap((each) => each.providers ?? []).map((each) => [each.id, each]));
  const findList = await findLists(plugins);
  const options: FindOptions = { prepare, findList, findProvider: (id) => providers.get(id) };
  const sources = new Map<string, ListSource>();
  const outcomes = new Map<string, ListOutcome>();
  for (const each of targets) {
    const source = toSource(each, options);
    if (source === undefined) continue;
    if ('kind' in source) outcomes.set(`${source.provider} ${source.why}`, source);
    else sources.set(`${source.provider} ${source.target.origin} ${source.target.fingerprint}`, source);
  }
  const waiting = [...sources.values()];
  const read: ListOutcome[] = [];
  for (let at = 0; at < waiting.length; at += atOnce)
    read.push(...(await Promise.all(waiting.slice(at, at + atOnce).map((source) => readOne(source, clock)))));
  return [...outcomes.values(), ...read].sort((one, other) => (one.provider < other.provider ? -1 : 1));
};
