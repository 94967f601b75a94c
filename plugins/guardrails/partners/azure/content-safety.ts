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
  // With eight levels the odd severities are distinguished as well.
  const outputType = severity % 2 === 0 ? 'FourSeverityLevels' : 'EightSeverityLevels';
  return async ({ text, cancellation }) => {
    const found = await judgePieces(text, maxCharacters, async (piece) => {
      const body = { text: piece.text, categories, blocklistNames, haltOnBlocklistHit: false, outputType };
      const answer = await ask('/contentsafety/text:analyze', body, cancellation);
      const lists = answer.has('blocklistsMatch') ? answer.list('blocklistsMatch') : [];
      return [
        ...answer
          .list('categoriesAnalysis')
          .filter((each) => each.number('severity') >= severity)
          .map((each) => each.text('category')),
        ...lists.map((each) => `an item of the blocklist "${each.text('blocklistName')}"`),
      ];
    });
    return foundVerdict(vendor, found, { severity });
  };
};
