import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Counter, Named } from './ledger-record.ts';

/** The rows of a batch, and of the next one, mostly have the same callers, models and labels. */
const digests = new LRUCache<string, string>({ max: 2000, memoMethod: (text) => hash('sha256', text, 'base64url') });

/** Makes a text of 43 characters that stands for a list of texts and numbers. */
export const digest = (values: readonly (string | number | null)[]): string => digests.memo(JSON.stringify(values));

export const isCounter = (named: Named): named is Counter => 'policy' in named;

/** The members of names. In this order the views of the ledger read them: a change needs a migration. */
const counterMembers = ['policy', 'bucket', 'unit'] as const;
const factMembers = [
  ...(['organisation_id', 'workspace_id', 'key_id', 'config', 'prompt', 'provider', 'slug', 'model'] as const),
  ...(['answered_model', 'kind', 'tier', 'prices', 'metadata'] as const),
];

const toTexts = (named: Named): readonly (string | null)[] =>
  isCounter(named) ? counterMembers.map((member) => named[member]) : factMembers.map((member) => named[member]);

/** Writes a named value, as the ledger stores it. */
export const nameText = (named: Named): string => JSON.stringify(toTexts(named));

const nameDigests = new WeakMap<Named, string>();

/** Makes a text that stands for what is named: what has the same texts has the same one. */
export const nameDigest = (named: Named): string => {
  const known = nameDigests.get(named) ?? digest(toTexts(named));
  nameDigests.set(named, known);
  return known;
};

/** Reads what `nameText` has written. */
export const readName = (text: string): Named => {
  const texts: readonly (string | null)[] = fromJson(text);
  const members = texts.length === counterMembers.length ? counterMembers : factMembers;
  return Object.fromEntries(members.map((member, at) => [member, texts[at]])) as unknown as Named;
};
