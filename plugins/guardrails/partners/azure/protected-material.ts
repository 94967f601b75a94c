import type { Check, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import { foundVerdict } from '../findings/found-verdict.ts';
import { judgePieces } from '../pieces/judge-pieces.ts';
import { type AzureParameters, askAzure } from './ask-azure.ts';

/** https://learn.microsoft.com/rest/api/contentsafety/text-operations/detect-text-protected-material */
const maxCharacters = 1000;

const vendor = 'Azure AI Content Safety';

/** The text must not contain known third-party texts, such as lyrics, recipes or articles. */
export const protectedMaterial = (parameters: AzureParameters, services: CheckServices): Check => {
  const ask = askAzure(vendor, parameters, services);
  return async ({ text, cancellation }) => {
    const found = await judgePieces(text, maxCharacters, async (piece) => {
      const answer = await ask('/contentsafety/text:detectProtectedMaterial', { text: piece.text }, cancellation);
      return answer.object('protectedMaterialAnalysis').flag('detected') ? ['protected material'] : [];
    });
    return foundVerdict(vendor, found);
  };
};
