import type { Check, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import { foundVerdict } from '../findings/found-verdict.ts';
import { judgePieces } from '../pieces/judge-pieces.ts';
import { type AzureParameters, askAzure } from './ask-azure.ts';

/** The parameters of `azure.contentSafety`. */
export interface ContentSafetyParameters extends AzureParameters {
  readonly categories: readonly string[];
  readonly severity: number;
  readonly blocklistNames: readonly string[];
}

/** https://learn.microsoft.com/rest/api/contentsafety/text-operations/analyze-text */
const maxCharacters = 10_000;

const vendor = 'Azure AI Content Safety';

/** No category may reach the severity, and no item of a blocklist may occur. */
export const contentSafety = (parameters: ContentSafetyParameters, services: CheckServices): Check => {
  const ask = askAzure(vendor, parameters, services);
  const { categories, severity, blocklistNames } = parameters;
  // Odd severities are only distinguished with eight levels.
  const outputType = severity % 2 === 0 ? 'FourSeverityLevels' : 'EightSeverityLevels';
  return async ({ text, cancellation }) => {
    const found = await judgePieces(text, maxCharacters, async (piece) => {
      const body = { text: piece.text, categories, blocklistNames, haltOnBlocklistHit: false, outputType };
      const answer = await ask('/contentsafety/text:analyze', body, cancellation);
      const isListed = blocklistNames.length > 0 || answer.has('blocklistsMatch');
      const lists = isListed ? answer.list('blocklistsMatch') : [];
      const severities = new Map(
        answer.list('categoriesAnalysis').map((each) => [each.text('category'), each.score('severity')]),
      );
      const found = [
        ...[...severities].flatMap(([category, found]) => (found >= severity ? [category] : [])),
        ...lists.map((each) => `an item of the blocklist "${each.text('blocklistName')}"`),
      ];
      const missing = categories.find((category) => !severities.has(category));
      if (found.length === 0 && missing !== undefined)
        throw new Error(`${vendor} answered with status 200, but did not judge the category "${missing}".`);
      return found;
    });
    return foundVerdict(vendor, found, { severity });
  };
};
