import type { Provider } from './provider.ts';

export interface LateProviderDefinition extends Pick<Provider, 'id' | 'aliases' | 'models' | 'clientHeaders'> {
  /** Loads the provider with this id. Called once, when a config, a plan or a request uses it. */
  readonly load: () => Provider;
}

/** The members of a provider that are unknown until it is loaded. */
const lateMembers = Object.keys({
  listedAs: true,
  documentation: true,
  unconfirmed: true,
  closed: true,
  baseUrl: true,
  hostPath: true,
  credential: true,
  settings: true,
  usesMachineIdentity: true,
  ownSettings: true,
  credentialFields: true,
  speaks: true,
  basePaths: true,
  dialectsOf: true,
  bodyModel: true,
  settingsModels: true,
  headers: true,
  authorize: true,
  stateScope: true,
  storageOrigin: true,
  signedOrigins: true,
  hasRealtime: true,
  passThrough: true,
  pathBeside: true,
  nextAddress: true,
  changesAccount: true,
  drop: true,
  lacks: true,
  reasoningMember: true,
  loadsFiles: true,
  adapt: true,
  adaptsOwn: true,
  adaptsMarked: true,
  errorsVary: true,
  leavesOut: true,
  alwaysReportsUsage: true,
  embeddings: true,
  maxTexts: true,
  losses: true,
  promptCache: true,
  inProcess: true,
} satisfies { readonly [Member in Exclude<keyof Provider, keyof LateProviderDefinition>]-?: true });

const whole = Symbol('the whole provider');

interface Late {
  readonly [whole]: () => Provider;
}

/** Shared by all late providers: a gateway has many, most of which are never used. */
const prototype: object = Object.defineProperties(
  {},
  Object.fromEntries(
    lateMembers.map((member) => [
      member,
      {
        enumerable: true,
        get(this: Late) {
          return Reflect.get(this[whole](), member);
        },
      },
    ]),
  ),
);

/**
 * Creates a provider of which only the names are known until another member is read. Unlike the code of a check, the description
 * of a provider is only a few lines, so it is loaded synchronously and callers need not wait.
 */
export const lateProvider = ({ load, ...known }: LateProviderDefinition): Provider => {
  let loaded: Provider | undefined;
  const late: Late = {
    [whole]() {
      loaded ??= load();
      return loaded;
    },
  };
  return Object.assign(Object.create(prototype), known, late);
};

/** Returns the provider itself, for code that uses it often. A provider derived from a late one is returned as it is. */
export const unwrapProvider = (provider: Provider): Provider =>
  Object.hasOwn(provider, whole) ? (provider as Provider & Late)[whole]() : provider;
