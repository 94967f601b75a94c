import { boundMark } from '../../../../../schema/conversation/bound.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import type { StoredResponse } from '../stored/stored-response.ts';
import { inputItems, outputItems } from './input-items.ts';

/** How the gateway's own ids of reasoning begin; its dialect reads such items for every provider. */
const ownReasoning = 'rs_gw';

/** Whether a body may contain what the dialect must read before a provider can: bound values with their makers, and such ids. */
export const mayBeBound = (bytes: Buffer): boolean =>
  bytes.includes(`"${boundMark}`) || bytes.includes(`"${ownReasoning}_`);

/** An item that nobody but the provider that keeps it can read. */
const isReference = ({ type, id, encrypted_content: encrypted }: JsonObject): boolean =>
  type === 'item_reference' ||
  (type === 'reasoning' && typeof encrypted !== 'string' && !String(id ?? '').startsWith(ownReasoning));

/** Reasoning that names its maker: that alone is sent what is encrypted. */
const withMaker = (item: JsonObject, scope: string | undefined): JsonObject => {
  const { type, encrypted_content: encrypted } = item;
  if (type !== 'reasoning' || typeof encrypted !== 'string') return item;
  if (scope === undefined || encrypted.startsWith(boundMark)) return item;
  return { ...item, encrypted_content: `${boundMark}${scope}.${encrypted}` };
};

const replayed = (items: readonly Json[], scope: string | undefined): readonly Json[] =>
  items
    .filter((item) => !isJsonObject(item) || !isReference(item))
    .map((item) => (isJsonObject(item) ? withMaker(item, scope) : item));

/** What was sent and answered: the items of a conversation's input before a new request, in their order. */
export const rebuiltInput = (links: readonly StoredResponse[]): readonly Json[] =>
  links.flatMap(({ input, response, isNative, maker }) => [
    // What a client sent without a maker was for the provider that answered, if that speaks the client's dialect.
    ...replayed(inputItems(input), isNative ? maker?.scope : undefined),
    ...replayed(outputItems(response), maker?.scope),
  ]);
