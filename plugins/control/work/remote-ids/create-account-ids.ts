import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { foreignIds } from '../references/foreign-ids.ts';
import type { AccountIds } from './account-ids.ts';
import { createAccountReach } from './account-reach.ts';
import type { RemoteIds } from './remote-ids.ts';

/** Ids, names of resources and addresses as providers write them: nothing that could be read as another path. */
const plainId = /^(?:(?:gs|s3):\/\/)?(?!.*(?:^|\/)\.{0,2}(?:\/|$))[\w.:@=+~/-]{1,1024}$/;

export const createAccountIds = (
  parts: Pick<ControlParts, 'store' | 'sealer' | 'catalogue' | 'readView'> & { readonly remoteIds: RemoteIds },
): AccountIds => {
  const { store, remoteIds } = parts;
  const reachesAlone = createAccountReach(parts);

  const whose: AccountIds['whose'] = async ({ tenant, kind, account: { slug, saved }, id }) => {
    const found = await remoteIds.find(tenant, kind, id);
    if (found !== undefined) return found.slug === slug ? 'own' : 'elsewhere';
    const setting = saved?.settings?.unknown_ids;
    if (setting === 'refuse' || !plainId.test(id)) return 'refused';
    if (setting !== 'allow' && !(await reachesAlone(tenant, saved))) return 'refused';
    return (await foreignIds(store, { tenant, slug, ids: [id] })).size === 0 ? 'unknown' : 'refused';
  };

  return { whose, mayAsk: async (asked) => ['own', 'unknown'].includes(await whose(asked)) };
};
