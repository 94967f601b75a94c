import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Counter, Named } from './ledger-record.ts';

/** The rows of a batch, and of the next one, usually have the same callers, models and labels. */
const digests = new LRUCache<string, string>({ max: 2000, memoMethod: (text) => hash('sha256', text, 'base64url') });

/** Returns a text of 43 characters that identifies a list of texts and numbers. */
export const digest = (values: readonly (string | number | null)[]): string => digests.memo(JSON.stringify(values));

export const isCounter = (named: Named): named is Counter => 'policy' in named;

/** The members of names. The views of the ledger read them in this order, so a change needs a migration. */
const counterMembers = ['policy', 'bucket', 'unit'] as const;
const factMembers = [
  ...(['organisation_id', 'workspace_id', 'key_id', 'config', 'prompt', 'provider', 'slug', 'model'] as const),
  ...(['answered_model', 'kind', 'tier', 'prices', 'metadata'] as const),
];

const toTexts = (named: Named): readonly (string | null)[] =>
  isCounter(named) ? counterMembers.map((member) => named[member]) : factMembers.map((member) => named[member]);

/** Returns the text of a named value, as the ledger stores it. */
export const nameText = (named: Named): string => JSON.stringify(toTexts(named));

const nameDigests = new WeakMap<Named, string>();

/** Returns a text that identifies a named value: equal texts have the same digest. */
export const nameDigest = (named: Named): string => {
  const known = nameDigests.get(named) ?? digest(toTexts(named));
  nameDigests.set(named, known);
  return known;
};

/** Parses what `nameText` has written. */
export const readName = (text: string): Named => {
  const texts: readonly (string | null)[] = fromJson(text);
  const members = texts.length === counterMembers.length ? counterMembers : factMembers;
  return Object.fromEntries(members.map((member, at) => [member, texts[at]])) as unknown as Named;
};
