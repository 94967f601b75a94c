import { availableFeatures } from './available-features.ts';
import { checkPhases } from './check-phases.ts';
import { conditionalParts } from './conditional-parts.ts';
import { credentialValues } from './credential-values.ts';
import { credentials } from './credentials.ts';
import type { Check } from './define-check.ts';
import { effects } from './effects.ts';
import { emptyHooks } from './empty-hooks.ts';
import { fanOut } from './fan-out.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { groupTargets } from './group-targets.ts';
import { hosts } from './hosts.ts';
import { knownTargets } from './known-targets.ts';
import { prompts } from './prompts.ts';
import { providers } from './providers.ts';
import { savedCredentialHosts } from './saved-credential-hosts.ts';
import { secretValues } from './secret-values.ts';
import { statuses } from './statuses.ts';
import { weights } from './weights.ts';

/** What every config is checked for, in one pass; findings are shown in the order of the text. */
export const checks: readonly Check[] = [
  groupTargets,
  conditionalParts,
  knownTargets,
  weights,
  statuses,
  providers,
  prompts,
  secretValues,
  credentialValues,
  credentials,
  hosts,
  savedCredentialHosts,
  checkPhases,
  emptyHooks,
  availableFeatures,
  forwardedHeaders,
  effects,
  fanOut,
];
