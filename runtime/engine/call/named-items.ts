import type { DecodeRequest, EncodeAnswer } from '../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { FoundItems, ItemsOwner } from '../../ports/named-items.ts';
import { decodeOptions } from './decode-options.ts';
import type { LeafCall } from './leaf-call.ts';

/**
 * Returns the owner of items. All targets that the operator chose belong to the workspace. A credential that came with a request
 * belongs to its caller.
 */
const toOwner = ({ exchange, target }: LeafCall): ItemsOwner => ({
  tenant: exchange.principal.tenant,
  owner: target.isOperators ? '' : target.fingerprint,
});

/** Looks up the items that a body names and this process does not remember. Undefined if there is nothing to look up. */
export const findNamed = (call: LeafCall, body: () => JsonObject): Promise<FoundItems> | undefined => {
  const { namedItems } = call.run;
  const { itemNaming } = call.dialect ?? {};
  // A caller without a workspace has nothing in the store.
  if (namedItems === undefined || !('find' in namedItems) || itemNaming === undefined) return undefined;
  if (call.exchange.principal.workspace === undefined) return undefined;
  const ids = itemNaming.namedIn(body());
  return ids.length === 0 ? undefined : namedItems.find(toOwner(call), ids);
};

/** Bound values are remembered only for their creator. */
const toMaker = (call: LeafCall, scope: string): ItemsOwner => {
  const { tenant, owner } = toOwner(call);
  return { tenant, owner: `${owner} ${scope}` };
};

export interface RecallOptions {
  readonly found?: FoundItems | undefined;
  /** The scope of the provider's bound values, if clients may have lost some of them. */
  readonly scope?: string | undefined;
}

/** Returns how a request is completed with what is remembered of earlier answers. */
export const recalling = (call: LeafCall, { found, scope }: RecallOptions): Pick<DecodeRequest, 'recall'> => {
  const { namedItems } = call.run;
  const { itemNaming, losesEndings } = call.dialect ?? {};
  if (namedItems === undefined) return {};
  if (itemNaming !== undefined) return { recall: (id) => found?.get(id) ?? namedItems.recall(toOwner(call), id) };
  // Names are computed from whole conversations, so this is done only if it may find something.
  if (losesEndings !== true || scope === undefined || !namedItems.holds(toOwner(call).tenant)) return {};
  return { recall: (id) => namedItems.recall(toMaker(call, scope), id) };
};

/** Whether the items of an answer may be in a store: neither its request nor its workspace forbids storing. */
const mayBeStored = ({ exchange: { principal, overrides } }: LeafCall, isAsked: boolean): boolean =>
  principal.workspace !== undefined &&
  overrides.debug !== false &&
  (isAsked || principal.defaults?.keepResponses !== false);

/** Returns how to remember what later requests are completed with, if the request allows that. */
export const remembering = (call: LeafCall): Pick<EncodeAnswer, 'remember'> => {
  const { namedItems } = call.run;
  const { itemNaming, losesEndings } = call.dialect ?? {};
  if (namedItems === undefined) return {};
  if (losesEndings === true)
    return { remember: (items) => namedItems.remember(toMaker(call, decodeOptions(call).scope), items) };
  if (itemNaming === undefined) return {};
  const keeping = itemNaming.keeping(call.exchange.json());
  if (keeping === 'refused') return {};
  const owner = toOwner(call);
  if ('store' in namedItems && mayBeStored(call, keeping === 'asked'))
    return { remember: (items) => namedItems.store(owner, items) };
  return { remember: (items) => namedItems.remember(owner, items) };
};
