import { credentialValues } from './credentials/credential-values.ts';
import { credentials } from './credentials/credentials.ts';
import { forwardedHeaders } from './credentials/forwarded-headers.ts';
import { keyPools } from './credentials/key-pools.ts';
import { savedCredentialHosts } from './credentials/saved-credential-hosts.ts';
import { secretValues } from './credentials/secret-values.ts';
import { checkPhases } from './guardrails/check-phases.ts';
import { emptyHooks } from './guardrails/empty-hooks.ts';
import { prompts } from './prompts.ts';
import { hosts } from './providers/hosts.ts';
import { providers } from './providers/providers.ts';
import { availableFeatures } from './settings/available-features.ts';
import { effects } from './settings/effects.ts';
import { operatorsSettings } from './settings/operators-settings.ts';
import { requestBounds } from './settings/request-bounds.ts';
import { statuses } from './settings/statuses.ts';
import { balances } from './strategies/balances.ts';
import { conditionalParts } from './strategies/conditional-parts.ts';
import { fanOut } from './strategies/fan-out.ts';
import { groupTargets } from './strategies/group-targets.ts';
import { knownTargets } from './strategies/known-targets.ts';
import { weights } from './strategies/weights.ts';
import type { Check } from './visitor/define-check.ts';

/** All checks of a config. They run in one pass; findings are shown in the order of the text. */
export const checks: readonly Check[] = [
  groupTargets,
  conditionalParts,
  knownTargets,
  weights,
  balances,
  statuses,
  providers,
  prompts,
  secretValues,
  credentialValues,
  credentials,
  keyPools,
  hosts,
  savedCredentialHosts,
  checkPhases,
  emptyHooks,
  availableFeatures,
  forwardedHeaders,
  effects,
  requestBounds,
  operatorsSettings,
  fanOut,
];
