import type { JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { keyVariable } from '../../../../schema/text/key-variable.ts';
import { type Draft, toSlug } from '../draft/draft.ts';
import { findProviderName, providerOfModel } from '../draft/provider-names.ts';
import { referredVariable } from '../draft/references.ts';

/** Words in names of saved providers that identify the provider. */
const words: Readonly<Record<string, string>> = { claude: 'anthropic', gpt: 'openai' };

/** Guesses the provider that a name stands for: the longest with which the name begins, or one that a word of it names. */
const guessProvider = (name: string, model: string, known: ReadonlyMap<string, unknown>): string | undefined =>
  [...known.keys()]
    .filter((id) => name === id || name.startsWith(`${id}-`))
    .toSorted((a, b) => b.length - a.length)[0] ??
  name
    .split('-')
    .map((word) => lookUp(words, word) ?? findProviderName(word, known))
    .find((id) => id !== undefined) ??
  providerOfModel(model);

interface CloudPlace {
  readonly settings: JsonObject;
  readonly isWith: string;
  readonly correct: string;
}

/** Providers whose region is saved in the other gateway too, with the region in which they are called here. */
const cloudPlaces: Readonly<Partial<Record<string, CloudPlace>>> = {
  bedrock: {
    settings: { cloudc_region: 'us-east-1' },
    isWith: 'the region us-east-1 and an API key of Bedrock in',
    correct:
      'correct "cloudc_region", and where it has an access key, write cloudc_access_key_id and cloudc_secret_access_key in place of api_key.',
  },
};

/** A name of a saved record of the other gateway, and the place where it is used. */
interface UsedName {
  readonly slug: string;
  readonly model: string;
  readonly table: 'providers' | 'virtual_keys';
  readonly source: JsonPointer;
}

/** Saves a provider in the gateway file under the name that it has in the other gateway, and returns that name. */
export const saveUsed = (
  { slug, model, table, source }: UsedName,
  draft: Draft,
  providers: ReadonlyMap<string, unknown>,
): string => {
  return draft.saveOnce(table, slug, () => {
    const name = toSlug(slug);
    const provider = guessProvider(name, model, providers) ?? 'openai';
    const reference = draft.absentSecret(slug, keyVariable(name));
    const variable = referredVariable(reference);
    const place = lookUp(cloudPlaces, provider);
    const loss = draft.lose(
      source,
      `"${slug}" is saved in the other gateway, but its provider and credential are not in this file.`,
      place === undefined
        ? `The gateway file saves it as ${provider} with the key of ${variable}: correct the provider if it is another, and set the variable.`
        : `The gateway file saves it as ${provider} with ${place.isWith} ${variable}: ${place.correct}`,
    );
    const settings = place === undefined ? {} : { settings: place.settings };
    return { saved: { provider, credential: { api_key: reference }, ...settings }, loss };
  });
};
