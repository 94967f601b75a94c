import type { Principal } from '../../../sdk/exchange/exchange.ts';
import { problem } from '../../kernel/requests/problem.ts';
import type { KeyPrincipal } from '../identity/service-keys/key-principal.ts';
import type { KeySight } from './key-store.ts';
import type { Maker } from './new-key.ts';
import type { Validated } from './validated.ts';

/** Who asks: a key of the store, somebody with a JWT, or a key of the gateway file, which has no organisation. */
export type KeyCaller = Principal & Partial<Pick<KeyPrincipal, 'kind'>>;

/** What a caller may grant, and which keys it sees. */
export interface CallerPlace {
  readonly maker: Maker;
  readonly sight: KeySight;
}

/** What a caller without a place is told. */
export const withoutOrganisation: Validated<never> = {
  forbidden: [
    problem([], 'Keys of the gateway file do not manage the keys of the store.', 'Use a key that the store has.'),
  ],
};

/** A caller's place; undefined if it has none. */
export const findPlace = (caller: KeyCaller): CallerPlace | undefined => {
  const { organisation, workspace, reach, scopes, kind, userId } = caller;
  if (organisation === undefined || (reach !== 'organisation' && workspace === undefined)) return undefined;
  const ownWorkspace = reach === 'organisation' ? undefined : workspace;
  return {
    maker: { organisation, workspace, reach, scopes },
    sight: { organisation, workspace: ownWorkspace, user: kind === 'workspace-user' ? userId : undefined },
  };
};

/** The workspace in which a caller's request acts. */
export const actsIn = ({ workspace, tenant }: KeyCaller): string => workspace ?? tenant;
