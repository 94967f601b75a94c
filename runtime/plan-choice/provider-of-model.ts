import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { SavedProvider } from '../../schema/config/saved.ts';

/** The provider that the beginning of a model names, as in `openai/gpt-4o`. */
export type ProviderOfModel =
  /** Its only saved one, or if there are several, the one that is saved under the name itself. */
  | { readonly kind: 'saved'; readonly slug: string; readonly model: string }
  /** A provider that is called without a credential. */
  | { readonly kind: 'keyless'; readonly provider: string; readonly model: string }
  /** None of this provider is saved that a request may use. */
  | { readonly kind: 'unsaved'; readonly provider: string }
  /** Another provider is saved under its name, and none of it. */
  | { readonly kind: 'other'; readonly provider: string; readonly model: string }
  /** It is unclear which of the saved ones is meant. */
  | { readonly kind: 'several'; readonly provider: string };

export interface KnownProviders {
  readonly find: (id: string) => Provider | undefined;
  /** By slug. There can be several saved ones of a provider. */
  readonly saved: { readonly [slug: string]: SavedProvider };
  readonly virtualKeys: { readonly [slug: string]: SavedProvider };
}

const isKeyless = ({ credential, inProcess, baseUrl }: Provider): boolean =>
  credential !== 'required' && (inProcess !== undefined || typeof baseUrl === 'string');

/** Reads the provider in a model. Undefined for names that begin with no provider of this gateway. */
export const providerOfModel = (
  name: string,
  { find, saved }: Pick<KnownProviders, 'find' | 'saved'>,
): ProviderOfModel | undefined => {
  const slash = name.indexOf('/');
  if (slash < 1 || slash === name.length - 1) return undefined;
  const provider = name.slice(0, slash);
  const found = find(provider);
  if (found === undefined) return undefined;
  const model = name.slice(slash + 1);
  const own = Object.entries(saved).filter(([, each]) => find(each.provider)?.id === found.id);
  if (own.length === 0 && isKeyless(found)) return { kind: 'keyless', provider, model };
  if (own.length === 0)
    return Object.hasOwn(saved, provider) ? { kind: 'other', provider, model } : { kind: 'unsaved', provider };
  // The first name of a saved provider is its slug.
  const [slug] = own.find(([each]) => each === provider) ?? own[0] ?? [provider];
  const isOne = slug === provider || new Set(own.map(([, each]) => each)).size === 1;
  return isOne ? { kind: 'saved', slug, model } : { kind: 'several', provider };
};
