import type { Check, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundVerdict } from '../findings/found-verdict.ts';
import { overlappingPieces } from '../pieces/text-pieces.ts';

/** The parameters of `mistral.moderateContent`. */
export interface ModerateContentParameters {
  readonly categories: readonly string[];
  readonly model: string;
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Mistral';

/** Well below 8,000 tokens, the maximum that the model reads of one text. */
const maxCharacters = 8000;

/**
 * One category of mistral-moderation-2411 was split in two:
 * https://docs.mistral.ai/resources/deprecated/guardrailing/mistral_moderation_2411
 */
const sameAs: { readonly [category: string]: readonly string[] } = {
  dangerous_and_criminal_content: ['dangerous', 'criminal'],
  dangerous: ['dangerous_and_criminal_content'],
  criminal: ['dangerous_and_criminal_content'],
};

/** Whether a category was found, under its own name or the names that another model uses. */
const isFound = (categories: AnswerReader, category: string): boolean => {
  const names = categories.has(category) ? [category] : (sameAs[category] ?? []);
  const known = names.filter((name) => categories.has(name));
  if (known.length === 0)
    throw new Error(`${vendor} answered with status 200, but its model does not judge "${category}". Remove it.`);
  return known.some((name) => categories.flag(name));
};

/** The text must not be in any of the categories. */
export const moderateContent = (
  { categories, model, credentials: { apiKey }, baseUrl = 'https://api.mistral.ai' }: ModerateContentParameters,
  { http }: CheckServices,
): Check => {
  const url = urlBelow(baseUrl, '/v1/moderations');
  return async ({ text, cancellation }) => {
    if (text.trim() === '') return foundVerdict(vendor, []);
    const body = { model, input: overlappingPieces(text, maxCharacters).map((piece) => piece.text) };
    const headers = { authorization: `Bearer ${apiKey}` };
    const answer = await askPartner(http, { vendor, url, headers, body, cancellation });
    const results = answer.list('results', body.input.length);
    const judged = results.map((result) => result.object('categories'));
    return foundVerdict(
      vendor,
      categories.filter((category) => judged.some((found) => isFound(found, category))),
    );
  };
};
