import { defineGuardrail, type Guardrail } from '../../sdk/guardrail.ts';
import { actionFaults, actionParameters, actionParts, actionRewrites } from './actions.ts';
import { chosenNames } from './chosen-names.ts';
import { findAll } from './find-all.ts';
import type { Detector } from './finding.ts';
import { findNationalIds } from './national-ids/national-ids.ts';
import { findCards } from './personal/card.ts';
import { findEmails, longestEmail } from './personal/email.ts';
import { findIbans } from './personal/iban.ts';
import { findIpAddresses } from './personal/ip-address.ts';
import { findPhones } from './personal/phone.ts';
import { redactionCheck } from './redaction.ts';
import { contextCharacters } from './words-before.ts';

const categories = ['email', 'phone', 'card', 'iban', 'ip', 'national-id'] as const;

const countries = [
  ...(['AT', 'AU', 'BE', 'BR', 'CA', 'CH', 'CN', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'IN', 'IT', 'JP'] as const),
  ...(['MX', 'NL', 'NO', 'PL', 'PT', 'SE', 'SG', 'TR', 'US', 'ZA'] as const),
] as const;

type Category = (typeof categories)[number];

const detectorsOf = (category: Category, ofCountries: ReadonlySet<string>): readonly Detector[] =>
  ({
    email: [findEmails],
    phone: [findPhones],
    card: [findCards],
    iban: [findIbans],
    ip: [findIpAddresses],
    'national-id': findNationalIds(ofCountries),
  })[category];

/**
 * Personal data: addresses, numbers of phones, cards and accounts, and the numbers by which countries know people. It is
 * found by its form and its check digits, not by what a text means: names and postal addresses are not found.
 */
export const pii: Guardrail = defineGuardrail({
  id: 'default.pii',
  parameters: {
    type: 'object',
    properties: {
      categories: chosenNames(categories, 'What to look for; everything if absent.'),
      countries: chosenNames(countries, 'The countries whose national ids to look for; all that are known if absent.'),
      ...actionParameters,
    },
  },
  faults: actionFaults,
  rewrites: actionRewrites,
  parts: (parameters) => actionParts(parameters, longestEmail + contextCharacters),
  create({ categories: chosen, countries: ofCountries, action, not }, services) {
    const among = new Set<string>(ofCountries);
    const detect = findAll(chosen.flatMap((category) => detectorsOf(category, among)));
    return redactionCheck({ subject: 'personal data', action, not, detect }, services);
  },
});
