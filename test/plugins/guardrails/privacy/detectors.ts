import { findApiKeys } from '../../../../plugins/guardrails/privacy/credentials/api-key.ts';
import { findAssignments } from '../../../../plugins/guardrails/privacy/credentials/assignment.ts';
import { findJwts } from '../../../../plugins/guardrails/privacy/credentials/jwt.ts';
import { findPrivateKeys } from '../../../../plugins/guardrails/privacy/credentials/private-key.ts';
import { findUrlCredentials } from '../../../../plugins/guardrails/privacy/credentials/url-credentials.ts';
import { findNationalIds, nationalIds } from '../../../../plugins/guardrails/privacy/national-ids/national-ids.ts';
import { findCards } from '../../../../plugins/guardrails/privacy/personal/card.ts';
import { findEmails } from '../../../../plugins/guardrails/privacy/personal/email.ts';
import { findIbans } from '../../../../plugins/guardrails/privacy/personal/iban.ts';
import { findIpAddresses } from '../../../../plugins/guardrails/privacy/personal/ip-address.ts';
import { findPhones } from '../../../../plugins/guardrails/privacy/personal/phone.ts';
import { findAll } from '../../../../plugins/guardrails/privacy/search/find-all.ts';
import type { Detector } from '../../../../plugins/guardrails/privacy/search/finding.ts';

/** Finds what `default.pii` looks for by default. */
export const findPersonalData: Detector = findAll([
  findEmails,
  findPhones,
  findCards,
  findIbans,
  findIpAddresses,
  ...findNationalIds(new Set(nationalIds.map(({ country }) => country))),
]);

/** Finds what `default.secrets` looks for by default. */
export const findSecrets: Detector = findAll([
  findApiKeys,
  findJwts,
  findPrivateKeys,
  findAssignments,
  findUrlCredentials,
]);
