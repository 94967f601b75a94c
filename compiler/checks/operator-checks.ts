import { allowedModels } from './allowed-models.ts';
import { breakerUse } from './breaker-use.ts';
import { carriedParameters } from './carried-parameters.ts';
import type { Check } from './define-check.ts';
import { deployments } from './deployments.ts';
import { duplicates } from './duplicates.ts';
import { durations } from './durations.ts';
import { foreignSecrets } from './foreign-secrets.ts';
import { forwardedCredentials } from './forwarded-credentials.ts';
import { guardrailDenials } from './guardrail-denials.ts';
import { hostAdvice } from './host-advice.ts';
import { models } from './models.ts';
import { mutators } from './mutators.ts';
import { parameters } from './parameters.ts';
import { reachableConditions } from './reachable-conditions.ts';
import { replacedGuardrails } from './replaced-guardrails.ts';
import { savedDenials } from './saved-denials.ts';
import { shares } from './shares.ts';
import { statusSources } from './status-sources.ts';
import { unreachableTargets } from './unreachable-targets.ts';
import { unreadReferences } from './unread-references.ts';

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
  savedDenials,
  mutators,
  breakerUse,
  parameters,
  carriedParameters,
  models,
  allowedModels,
];
