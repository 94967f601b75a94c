import type { GatewayResponse } from '../../../sdk/http/http.ts';
import type { RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import { ok } from '../../kernel/requests/replies.ts';
import type { OpenedItems } from '../named-items/open-items.ts';
import { outputItems } from './input/input-items.ts';
import { askNamed, askProvider, nativeSlug, type OneResponse } from './stored/one-response.ts';
import type { StoredResponses } from './stored/stored-responses.ts';

/** Whether a provider may still have what it was asked to delete. */
const mayRemain = ({ status, origin }: GatewayResponse): boolean =>
  status >= 500 || status === 429 || origin === 'network' || origin === 'timeout';

const discard = ({ body }: GatewayResponse): void => {
  if (body.kind === 'stream') body.discard();
};

export interface RemoveParts {
  readonly kept: StoredResponses;
  /** Where the items of its output are kept too. */
  readonly storedItems: Pick<OpenedItems, 'remove'>;
}

/** Deletes a response: first where its provider keeps it too, so that it can be asked for again if that fails. */
export const removeResponse =
  ({ kept, storedItems }: RemoveParts) =>
  async (request: OneResponse, context: RouteContext): Promise<RouteReply> => {
    const { id } = request;
    const found = await kept.find(context.tenant, id);
    if (found === undefined) return askNamed(kept, request, context);
    const slug = nativeSlug(found);
    if (slug !== undefined) {
      const answer = await askProvider(request, context, slug);
      if (mayRemain(answer)) return answer;
      discard(answer);
    }
    const items = outputItems(found.response).map((item) => String(item.id));
    await storedItems.remove(context.tenant, items);
    await kept.remove(context.tenant, id);
    return ok({ id, object: 'response', deleted: true });
  };
