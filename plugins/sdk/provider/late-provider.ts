import type { Provider } from './provider.ts';

export interface LateProviderDefinition extends Pick<Provider, 'id' | 'aliases' | 'models' | 'clientHeaders'> {
  /** Gives the provider with this id. Called once, when a config, a plan or a request has it. */
  readonly load: () => Provider;
}

/** The members of a provider that are only known once it is loaded. */
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
  passThrough: true,
  pathBeside: true,
  nextAddress: true,
  changesAccount: true,
  drop: true,
  lacks: true,
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

/** One for all of them: a gateway has many, and most are never asked. */
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
 * A provider of which only the names are there until something else of it is asked for. Unlike the code of a check, a row is
 * a few lines, so that it is loaded at once and whoever asks does not wait.
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

/** The provider itself, for those who ask it often. One that is made of a late one stays what it is. */
export const wholeProvider = (provider: Provider): Provider =>
  Object.hasOwn(provider, whole) ? (provider as Provider & Late)[whole]() : provider;
