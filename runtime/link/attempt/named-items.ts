import type { DecodeRequest, EncodeAnswer } from '../../../plugins/sdk/dialect.ts';
import type { ItemsOwner } from '../../ports/named-items.ts';
import type { LeafCall } from '../leaf-call.ts';

/** All targets that the operator chose belong to the workspace; a credential that came with a request is its caller's. */
const ownerOf = ({ exchange, target }: LeafCall): ItemsOwner => ({
  tenant: exchange.principal.tenant,
  owner: target.isOperators ? '' : target.fingerprint,
});

/** How a request's references to items of earlier answers are resolved. */
export const recalling = (call: LeafCall): Pick<DecodeRequest, 'recall'> => {
  const { namedItems } = call.run;
  if (namedItems === undefined || call.dialect?.namesItems === undefined) return {};
  return { recall: (id) => namedItems.recall(ownerOf(call), id) };
};

/** How the items of an answer are remembered, if the request lets a later one name them. */
export const remembering = (call: LeafCall): Pick<EncodeAnswer, 'remember'> => {
  const { namedItems } = call.run;
  if (namedItems === undefined || call.dialect?.namesItems?.(call.exchange.json()) !== true) return {};
  return { remember: (items) => namedItems.remember(ownerOf(call), items) };
};
