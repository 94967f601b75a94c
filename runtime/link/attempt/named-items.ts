import type { DecodeRequest, EncodeAnswer } from '../../../plugins/sdk/dialect.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { FoundItems, ItemsOwner } from '../../ports/named-items.ts';
import type { LeafCall } from '../leaf-call.ts';

/** All targets that the operator chose belong to the workspace; a credential that came with a request is its caller's. */
const ownerOf = ({ exchange, target }: LeafCall): ItemsOwner => ({
  tenant: exchange.principal.tenant,
  owner: target.isOperators ? '' : target.fingerprint,
});

/** Looks up the items that a body names and this process does not remember; undefined if there is nothing to look up. */
export const findNamed = (call: LeafCall, body: () => JsonObject): Promise<FoundItems> | undefined => {
  const { namedItems } = call.run;
  const { itemNaming } = call.dialect ?? {};
  // A caller of no workspace has nothing in the store.
  if (namedItems === undefined || !('find' in namedItems) || itemNaming === undefined) return undefined;
  if (call.exchange.principal.workspace === undefined) return undefined;
  const ids = itemNaming.namedIn(body());
  return ids.length === 0 ? undefined : namedItems.find(ownerOf(call), ids);
};

/** How a request's references to items of earlier answers are resolved. */
export const recalling = (call: LeafCall, found?: FoundItems): Pick<DecodeRequest, 'recall'> => {
  const { namedItems } = call.run;
  if (namedItems === undefined || call.dialect?.itemNaming === undefined) return {};
  return { recall: (id) => found?.get(id) ?? namedItems.recall(ownerOf(call), id) };
};

/** Whether the items of an answer may be in a store: neither its request nor its workspace says that nothing is kept. */
const mayBeStored = ({ exchange: { principal, overrides } }: LeafCall, isAsked: boolean): boolean =>
  principal.workspace !== undefined &&
  overrides.debug !== false &&
  (isAsked || principal.defaults?.keepResponses !== false);

/** How the items of an answer are remembered, if the request lets a later one name them. */
export const remembering = (call: LeafCall): Pick<EncodeAnswer, 'remember'> => {
  const { namedItems } = call.run;
  const { itemNaming } = call.dialect ?? {};
  if (namedItems === undefined || itemNaming === undefined) return {};
  const keeping = itemNaming.keeping(call.exchange.json());
  if (keeping === 'refused') return {};
  const owner = ownerOf(call);
  if ('store' in namedItems && mayBeStored(call, keeping === 'asked'))
    return { remember: (items) => namedItems.store(owner, items) };
  return { remember: (items) => namedItems.remember(owner, items) };
};
