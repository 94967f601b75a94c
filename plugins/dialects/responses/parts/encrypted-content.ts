import { readBound, tagBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue } from '../../../../schema/conversation/conversation.ts';

/** Matches the kind of a tagged value, which precedes the value. */
const marked = /^(encrypted|signature|thought):(.*)$/s;

const kinds: ReadonlyMap<string, BoundValue['kind']> = new Map([
  ['encrypted', 'encrypted'],
  ['signature', 'signature'],
  ['thought', 'thought'],
]);

/**
 * Tags a bound value for a client. A reasoning item has one member for all bound values, `encrypted_content`, so the tagged value
 * includes its kind, unless it is encrypted: `gw1.<scope>.signature:<value>`. Some clients send back nothing else of the item.
 */
export const tagEncrypted = (bound: BoundValue): string => {
  const isPlain = bound.kind === 'encrypted' && !marked.test(bound.value);
  return tagBound(isPlain ? bound : { ...bound, value: `${bound.kind}:${bound.value}` });
};

/** Reads a tagged value. `scope` applies to a value that names none: it is the provider's own, which is always encrypted. */
export const readEncrypted = (text: string, scope: string): BoundValue => {
  const bound = readBound(text, 'encrypted', scope);
  const [, kind = '', value] = (bound.value === text ? null : marked.exec(bound.value)) ?? [];
  return value === undefined ? bound : { ...bound, kind: kinds.get(kind) ?? 'encrypted', value };
};
