import type { Identities } from '../../../plugins/sdk/control-plane/identities.ts';
import type { OrganisationId, Principal, TenantId, WorkspaceId } from '../../../plugins/sdk/exchange/exchange.ts';

/** The holder of a control plane key that has every scope in the workspace `w1`. */
export const holder = (parts: Partial<Principal> = {}): Principal => ({
  tenant: 'w1' as TenantId,
  keyId: 'k1',
  organisation: 'o1' as OrganisationId,
  workspace: 'w1' as WorkspaceId,
  reach: 'workspace',
  ...parts,
});

/** When a source answers: immediately, in a promise, or when the test releases it. */
export type Answering = 'at once' | 'later' | 'when released';

export interface ScriptedIdentities extends Identities {
  /** The look-ups, in order. */
  readonly asked: readonly string[];
  /** Answers everything that waits. */
  release(): void;
  /** Makes each look-up fail in this way, or none if undefined. */
  fail(how: 'throws' | 'rejects' | undefined): void;
  know(key: string, principal: Principal | undefined): void;
}

/** Creates scripted identities: keys with their holders, and workspaces by name. */
export const scriptedIdentities = (
  keys: Readonly<Record<string, Principal>>,
  {
    answering = 'at once',
    workspaces = {},
    confirmedAt,
  }: {
    readonly answering?: Answering;
    readonly workspaces?: Readonly<Record<string, string>>;
    readonly confirmedAt?: () => number;
  } = {},
): ScriptedIdentities => {
  const known = new Map(Object.entries(keys));
  const asked: string[] = [];
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let failure: 'throws' | 'rejects' | undefined;
  const say = <Value>(value: () => Value): Value | Promise<Value> => {
    if (failure === 'throws') throw new Error('The store is unavailable.');
    if (failure === 'rejects') return Promise.reject(new Error('The store is unavailable.'));
    if (answering === 'at once') return value();
    return (answering === 'later' ? Promise.resolve() : released).then(value);
  };
  return {
    asked,
    release,
    fail: (how) => {
      failure = how;
    },
    know: (key, principal) => {
      if (principal === undefined) known.delete(key);
      else known.set(key, principal);
    },
    identify: (presented) => {
      asked.push(presented);
      return say(() => known.get(presented));
    },
    findWorkspace: (principal, name) =>
      say(() => {
        const id = workspaces[name];
        return id === undefined ? undefined : { ...principal, tenant: id as TenantId, workspace: id as WorkspaceId };
      }),
    ...(confirmedAt === undefined ? {} : { confirmedAt }),
  };
};
