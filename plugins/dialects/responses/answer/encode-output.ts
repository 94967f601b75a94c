import { isDeepStrictEqual } from 'node:util';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { ownValue } from '../../shared/parts/own-value.ts';
import { callItem } from '../parts/calls.ts';
import { tagEncrypted } from '../parts/encrypted-content.ts';
import { isContent } from '../parts/item-types.ts';
import { encodeOutputText } from '../parts/output-text.ts';
import { asSummary, encodeReasoning } from '../parts/reasoning-item.ts';
import { decodeServerItem, encodeGeneratedImage } from '../parts/server-items.ts';
import type { ItemIds } from './item-ids.ts';
import { messageItem } from './output-items.ts';

/** Encodes a part of a message's content. Returns undefined for a part that is a separate item, and for an empty text. */
export const encodeContent = (part: Part): JsonObject | undefined => {
  if (part.kind === 'text' && part.text !== '') return encodeOutputText(part);
  if (part.kind === 'refusal' && part.text !== '') return { type: 'refusal', refusal: part.text };
  const own = part.kind === 'other' ? ownValue(part, 'responses') : undefined;
  return own !== undefined && isContent(own) ? own : undefined;
};

/** Encodes a part that is an item. Returns undefined for a part that this format cannot express. */
export const encodeWholeItem = (part: Part, ids: ItemIds): JsonObject | undefined => {
  switch (part.kind) {
    case 'tool-call': {
      const id = ids.next(part.input === 'text' ? 'ctc' : 'fc');
      return callItem(part, { id, status: 'completed' });
    }
    case 'reasoning': {
      const { text, summary = [], bound } = part;
      if (text === '' && summary.length === 0 && bound === undefined) return undefined;
      return encodeReasoning(asSummary(part), { id: ids.next('rs'), encrypted: bound && tagEncrypted(bound) });
    }
    case 'media':
      return encodeGeneratedImage(part, ids.next('ig'));
    case 'server-tool-call':
    case 'other': {
      const own = ownValue(part, 'responses');
      return own === undefined || isContent(own) ? undefined : own;
    }
    default:
      return undefined;
  }
};

/** Returns the parts that an item includes: after a call of the provider's own tool, its result or the image that it made. */
export const repeatedParts = (part: Part): readonly Part[] => {
  const own = part.kind === 'server-tool-call' ? ownValue(part, 'responses') : undefined;
  return own === undefined ? [] : (decodeServerItem(own)?.slice(1) ?? []);
};

/**
 * Encodes the parts of an answer as items. Consecutive texts and refusals are one message. Ids are numbered in the order of a
 * stream.
 */
export const encodeOutput = (parts: readonly Part[], ids: ItemIds): readonly JsonObject[] => {
  const items: JsonObject[] = [];
  let message: { readonly id: string; readonly content: JsonObject[] } | undefined;
  let repeated: readonly Part[] = [];
  const flush = (): void => {
    if (message !== undefined) items.push(messageItem(message.id, 'completed', message.content));
    message = undefined;
  };
  for (const part of parts) {
    const [known, ...rest] = repeated;
    repeated = rest;
    if (isDeepStrictEqual(part, known)) continue;
    repeated = repeatedParts(part);
    const said = encodeContent(part);
    const item = said === undefined ? encodeWholeItem(part, ids) : undefined;
    if (said !== undefined) {
      message ??= { id: ids.next('msg'), content: [] };
      message.content.push(said);
    }
    if (item === undefined) continue;
    flush();
    items.push(item);
  }
  flush();
  return items;
};
