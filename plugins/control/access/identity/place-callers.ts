import type { Principal, TenantId } from '../../../sdk/exchange/exchange.ts';
import type { FollowedPlaces, KnownWorkspace } from './places/follow-places.ts';

/** Gives callers what their workspace says of their requests. */
export interface PlacedCallers {
  /** The caller, with the labels of the workspace that it acts in below those of its key. */
  place(caller: Principal): Principal;
  /** The same caller in a workspace of its organisation, by id or slug; undefined if there is none. */
  findWorkspace(placed: Principal, name: string): Principal | undefined;
}

const inWorkspace = (
  caller: Principal,
  { id, metadata, keepsResponses, judgesAllTurns }: KnownWorkspace,
): Principal => ({
  ...caller,
  tenant: id as string as TenantId,
  workspace: id,
  defaults: {
    ...caller.defaults,
    metadata: { ...metadata, ...caller.defaults?.metadata },
    ...(keepsResponses === undefined ? {} : { keepResponses: keepsResponses }),
    ...(judgesAllTurns && { judgedTurns: 'all' }),
  },
});

/** Callers in their workspaces, each made once for as long as neither it nor any workspace changes. */
export const placeCallers = (places: Pick<FollowedPlaces, 'version' | 'find'>): PlacedCallers => {
  let version = -1;
  let made = new WeakMap<Principal, Map<string, Principal>>();
  /** The callers as they are without a workspace's labels. */
  const plain = new WeakMap<Principal, Principal>();

  const placed = (caller: Principal, workspace: KnownWorkspace): Principal => {
    if (places.version() !== version) {
      version = places.version();
      made = new WeakMap();
    }
    const ofCaller = made.get(caller) ?? new Map<string, Principal>();
    made.set(caller, ofCaller);
    const known = ofCaller.get(workspace.id);
    if (known !== undefined) return known;
    const next = inWorkspace(caller, workspace);
    ofCaller.set(workspace.id, next);
    plain.set(next, caller);
    return next;
  };

  const find = ({ organisation }: Principal, name: string | undefined): KnownWorkspace | undefined =>
    organisation === undefined || name === undefined ? undefined : places.find(organisation, name);

  return {
    place(caller) {
      const workspace = find(caller, caller.workspace);
      return workspace === undefined ? caller : placed(caller, workspace);
    },
    findWorkspace(caller, name) {
      const workspace = caller.reach === 'organisation' ? find(caller, name) : undefined;
      return workspace === undefined ? undefined : placed(plain.get(caller) ?? caller, workspace);
    },
  };
};
