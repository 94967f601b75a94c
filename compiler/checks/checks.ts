import { availableFeatures } from './available-features.ts';
import { breakerUse } from './breaker-use.ts';
import { carriedParameters } from './carried-parameters.ts';
import { checkPhases } from './check-phases.ts';
import { conditionalParts } from './conditional-parts.ts';
import { credentials } from './credentials.ts';
import type { Check } from './define-check.ts';
import { deployments } from './deployments.ts';
import { duplicates } from './duplicates.ts';
import { durations } from './durations.ts';
import { effects } from './effects.ts';
import { emptyHooks } from './empty-hooks.ts';
import { fanOut } from './fan-out.ts';
import { foreignSecrets } from './foreign-secrets.ts';
import { forwardedCredentials } from './forwarded-credentials.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { groupTargets } from './group-targets.ts';
import { guardrailDenials } from './guardrail-denials.ts';
import { hostAdvice } from './host-advice.ts';
import { hosts } from './hosts.ts';
import { knownTargets } from './known-targets.ts';
import { models } from './models.ts';
import { mutators } from './mutators.ts';
import { parameters } from './parameters.ts';
import { providers } from './providers.ts';
import { reachableConditions } from './reachable-conditions.ts';
import { replacedGuardrails } from './replaced-guardrails.ts';
import { savedCredentialHosts } from './saved-credential-hosts.ts';
import { secretValues } from './secret-values.ts';
import { shares } from './shares.ts';
import { statusSources } from './status-sources.ts';
import { statuses } from './statuses.ts';
import { streams } from './streams.ts';
import { unreachableTargets } from './unreachable-targets.ts';
import { unreadReferences } from './unread-references.ts';
import { weights } from './weights.ts';

/** What every config is checked for, in one pass; findings are shown in the order of the text. */
export const checks: readonly Check[] = [
  groupTargets,
  conditionalParts,
  knownTargets,
  weights,
  statuses,
  providers,
  secretValues,
  credentials,
  hosts,
  savedCredentialHosts,
  checkPhases,
  mutators,
  emptyHooks,
  streams,
  availableFeatures,
  forwardedHeaders,
  effects,
  fanOut,
];

/** Warnings, for files only: nobody would read them for the config of a request. */
export const operatorChecks: readonly Check[] = [
  reachableConditions,
  shares,
  statusSources,
  duplicates,
  durations,
  unreachableTargets,
  unreadReferences,
  foreignSecrets,
  hostAdvice,
  deployments,
  forwardedCredentials,
  replacedGuardrails,
  guardrailDenials,
  breakerUse,
  parameters,
  carriedParameters,
  models,
];
