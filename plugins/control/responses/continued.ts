import type { TenantId } from '../../sdk/exchange.ts';
import type { JsonReply } from '../../sdk/route-row.ts';
import { ownPrefix } from './answer-form.ts';
import type { Chain } from './kept-response.ts';
import type { KeptResponses } from './kept-responses.ts';
import { tooLongChain, unfinishedPrevious, unknownPrevious } from './response-refusals.ts';

/** What a request continues; undefined where only its provider can know it. Or why it cannot be continued. */
export type Continued = (tenant: TenantId, id: string) => Promise<Pick<Chain, 'links'> | JsonReply | undefined>;

export const createContinued =
  (kept: Pick<KeptResponses, 'chain' | 'isOfAnother'>): Continued =>
  async (tenant, id) => {
    const chain = await kept.chain(tenant, id);
    if (chain === 'too-long') return tooLongChain(id);
    if (chain === undefined) {
      const isNobodys = id.startsWith(ownPrefix) || (await kept.isOfAnother(tenant, id));
      return isNobodys ? unknownPrevious(id) : undefined;
    }
    const last = chain.links.at(-1);
    if (last?.response.status === 'in_progress') return unfinishedPrevious(id);
    if (chain.isWhole) return chain;
    return last?.isNative === true ? undefined : unknownPrevious(id);
  };
