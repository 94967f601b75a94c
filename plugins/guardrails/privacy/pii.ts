import type { Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../sdk/guardrail/lazy-guardrail.ts';
import { actionErrors, actionParameters, actionParts, actionRequestValues, actionRewrites } from './actions.ts';
import { chosenNames } from './chosen-names.ts';
import { longestEmail } from './personal/email.ts';
import { contextCharacters } from './search/words-before.ts';

const categories = ['email', 'phone', 'card', 'iban', 'ip', 'national-id'] as const;

const countries = [
  ...(['AT', 'AU', 'BE', 'BR', 'CA', 'CH', 'CN', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'IN', 'IT', 'JP'] as const),
  ...(['MX', 'NL', 'NO', 'PL', 'PT', 'SE', 'SG', 'TR', 'US', 'ZA'] as const),
] as const;

/**
 * Finds personal data: addresses, numbers of phones, cards and accounts, and national identification numbers. They are recognised
 * by form and check digits rather than by meaning: names and postal addresses are not found.
 */
export const pii: Guardrail = defineLazyGuardrail({
  id: 'default.pii',
  parameters: {
    type: 'object',
    properties: {
      categories: chosenNames(categories, 'What to look for; everything if absent.'),
      countries: chosenNames(countries, 'The countries whose national ids to look for; all that are known if absent.'),
      ...actionParameters,
    },
  },
  faults: actionErrors,
  requestValues: actionRequestValues,
  rewrites: actionRewrites,
  parts: (parameters) => actionParts(parameters, longestEmail + contextCharacters),
  load: async () => (await import('./pii-check.ts')).piiCheck,
});
