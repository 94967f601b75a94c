import type { Check, CheckServices } from '../../sdk/guardrail/guardrail.ts';
import { findNationalIds } from './national-ids/national-ids.ts';
import { findCards } from './personal/card.ts';
import { findEmails } from './personal/email.ts';
import { findIbans } from './personal/iban.ts';
import { findIpAddresses } from './personal/ip-address.ts';
import { findPhones } from './personal/phone.ts';
import { type FindingAction, redactionCheck } from './redaction.ts';
import { findAll } from './search/find-all.ts';
import type { Detector } from './search/finding.ts';

type Category = 'email' | 'phone' | 'card' | 'iban' | 'ip' | 'national-id';

interface PiiParameters {
  readonly categories: readonly Category[];
  readonly countries: readonly string[];
  readonly action: FindingAction;
  readonly not: boolean;
}

const toDetectors = (category: Category, ofCountries: ReadonlySet<string>): readonly Detector[] =>
  ({
    email: [findEmails],
    phone: [findPhones],
    card: [findCards],
    iban: [findIbans],
    ip: [findIpAddresses],
    'national-id': findNationalIds(ofCountries),
  })[category];

/** Finds personal data of the categories, and applies `action` to it. */
export const piiCheck = (
  { categories, countries, action, not }: PiiParameters,
  services: Pick<CheckServices, 'placeholder'>,
): Check => {
  const among = new Set(countries);
  const detect = findAll(categories.flatMap((category) => toDetectors(category, among)));
  return redactionCheck({ subject: 'personal data', action, not, detect }, services);
};
