import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { JsonReply } from '../../../../sdk/route/route-row.ts';
import { isOwnId, isProviderId } from './answer-form.ts';
import { tooLongChain, unfinishedPrevious, unknownPrevious } from './response-refusals.ts';
import type { Chain } from './stored-response.ts';
import type { StoredResponses } from './stored-responses.ts';

/**
 * What a request continues; of a chain that is not whole only the provider of its last response can know all, and where
 * undefined nobody else anything. Or why it cannot be continued.
 */
export type Continued = (tenant: TenantId, id: string) => Promise<Chain | JsonReply | undefined>;

export const createContinued =
  (kept: Pick<StoredResponses, 'chain' | 'isOfAnother'>): Continued =>
  async (tenant, id) => {
    const chain = await kept.chain(tenant, id);
    if (chain === 'too-long') return tooLongChain(id);
    if (chain === undefined) {
      const isNobodys = isOwnId(id) || !isProviderId(id) || (await kept.isOfAnother(tenant, id));
      return isNobodys ? unknownPrevious(id) : undefined;
    }
    const last = chain.links.at(-1);
    if (last?.response.status === 'in_progress') return unfinishedPrevious(id);
    if (chain.isWhole) return chain;
    return last?.isNative === true ? chain : unknownPrevious(id);
  };
