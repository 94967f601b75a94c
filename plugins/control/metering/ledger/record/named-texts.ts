import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import { isJsonObject } from '../../../../../schema/json/json.ts';
import type { Counter, Facts, Named } from './ledger-record.ts';

/** The rows of a batch, and of the next one, mostly have the same callers, models and labels. */
const digests = new LRUCache<string, string>({ max: 2000, memoMethod: (text) => hash('sha256', text, 'base64url') });

/** Makes a text of 43 characters that stands for a list of texts and numbers. */
export const digest = (values: readonly (string | number | null)[]): string => digests.memo(JSON.stringify(values));

export const isCounter = (named: Named): named is Counter => 'policy' in named;

/** In this order the views of the ledger read it: a change needs a migration. */
const toTexts = (named: Named): readonly (string | null)[] =>
  isCounter(named)
    ? [named.policy, named.bucket, named.unit]
    : [
        ...[named.organisation_id, named.workspace_id, named.key_id, named.config, named.prompt, named.provider],
        ...[named.slug, named.model, named.answered_model, named.kind, named.tier, named.prices, named.metadata],
      ];

/** Writes a named value, as the ledger stores it. */
export const nameText = (named: Named): string => JSON.stringify(toTexts(named));

const nameDigests = new WeakMap<Named, string>();

/** Stands for what is named: what has the same texts has the same one. */
export const nameDigest = (named: Named): string => {
  const known = nameDigests.get(named);
  if (known !== undefined) return known;
  const made = digest(toTexts(named));
  nameDigests.set(named, made);
  return made;
};

type CounterTexts = readonly [policy: string, bucket: string, unit: Counter['unit']];

type FactsTexts = readonly [
  ...[organisation: string, workspace: string, key: string | null, config: string | null, prompt: string | null],
  ...[provider: string, slug: string | null, model: string, answered: string, kind: Facts['kind']],
  ...[tier: string | null, prices: string | null, metadata: string],
];

/** Reads what `nameText` has written. */
export const readName = (text: string): Named => {
  const texts: CounterTexts | FactsTexts = fromJson(text);
  if (texts.length === 3) {
    const [policy, bucket, unit] = texts;
    return { policy, bucket, unit };
  }
  const [organisation_id, workspace_id, key_id, config, prompt, provider, slug, model, answered_model, ...rest] = texts;
  const [kind, tier, prices, metadata] = rest;
  return {
    ...{ organisation_id, workspace_id, key_id, config, prompt, provider, slug, model, answered_model },
    ...{ kind, tier, prices, metadata },
  };
};

/** The labels in a JSON text of the ledger. */
export const parsedLabels = (text: string): Readonly<Record<string, string>> => {
  const value: unknown = fromJson(text);
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
};
