import type { Check, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundVerdict } from '../findings/found-verdict.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of the checks of Pillar Security. */
export interface ScanParameters {
  /** The names of the scanners in requests and answers: `pii`, `secrets`, … */
  readonly scanners: readonly string[];
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Pillar Security';

type Create = (parameters: ScanParameters, services: CheckServices) => Check;

const scan =
  (path: string): Create =>
  ({ scanners, credentials, baseUrl = 'https://api.pillarseclabs.com' }, { http }) => {
    const url = urlBelow(baseUrl, path);
    const headers = { authorization: `Bearer ${credentials.apiKey}` };
    const asked = [...new Set(scanners)];
    return async ({ text, cancellation }) => {
      if (text.trim() === '') return noText;
      const body = { message: text, scanners: Object.fromEntries(asked.map((scanner) => [scanner, true])) };
      const answer = await askPartner(http, { vendor, url, headers, body, cancellation });
      // If a requested scanner is missing from the answer, it has not judged the text, and reading it throws.
      return foundVerdict(
        vendor,
        asked.filter((scanner) => answer.flag(scanner)),
      );
    };
  };

/** The scanners must not find anything in the prompt. */
export const scanPrompt: Create = scan('/api/v1/scan/prompt');

/** The scanners must not find anything in the answer. */
export const scanResponse: Create = scan('/api/v1/scan/response');
