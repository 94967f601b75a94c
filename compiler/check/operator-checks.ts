import { carriedParameters } from './carried-parameters.ts';
import { reachableConditions } from './conditions/reachable-conditions.ts';
import { foreignSecrets } from './credentials/foreign-secrets.ts';
import { forwardedCredentials } from './credentials/forwarded-credentials.ts';
import { unreadReferences } from './credentials/unread-references.ts';
import { guardrailDenials } from './guardrails/guardrail-denials.ts';
import { impossiblePatterns } from './guardrails/impossible-patterns.ts';
import { mutators } from './guardrails/mutators.ts';
import { replacedGuardrails } from './guardrails/replaced-guardrails.ts';
import { requestValues } from './guardrails/request-values.ts';
import { savedDenials } from './guardrails/saved-denials.ts';
import { unjudgedAnswers } from './guardrails/unjudged-answers.ts';
import { unrefusedFindings } from './guardrails/unrefused-findings.ts';
import { allowedModels } from './providers/allowed-models.ts';
import { closed } from './providers/closed.ts';
import { deployments } from './providers/deployments.ts';
import { deprecatedModels } from './providers/deprecated-models.ts';
import { hostAdvice } from './providers/host-advice.ts';
import { misspeltModels } from './providers/misspelt-models.ts';
import { models } from './providers/models.ts';
import { durations } from './settings/durations.ts';
import { parameters } from './settings/parameters.ts';
import { semanticCaches } from './settings/semantic-caches.ts';
import { statusSources } from './settings/status-sources.ts';
import { breakerUse } from './strategies/breaker-use.ts';
import { capabilityGaps } from './strategies/capability-gaps.ts';
import { circuitSettings } from './strategies/circuit-settings.ts';
import { continuedStreams } from './strategies/continued-streams.ts';
import { duplicates } from './strategies/duplicates.ts';
import { embeddingModels } from './strategies/embedding-models.ts';
import { hedges } from './strategies/hedges.ts';
import { knownAbilities } from './strategies/known-abilities.ts';
import { mirrorUse } from './strategies/mirror-use.ts';
import { oneTarget } from './strategies/one-target.ts';
import { sameTargets } from './strategies/same-targets.ts';
import { shares } from './strategies/shares.ts';
import { targetNames } from './strategies/target-names.ts';
import { unreachableTargets } from './strategies/unreachable-targets.ts';
import type { Check } from './visitor/define-check.ts';

/** Warnings, for files only: for the config of a request, nobody would read them. */
export const operatorChecks: readonly Check[] = [
  reachableConditions,
  oneTarget,
  sameTargets,
  targetNames,
  shares,
  hedges,
  mirrorUse,
  statusSources,
  duplicates,
  durations,
  semanticCaches,
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
  unrefusedFindings,
  requestValues,
  impossiblePatterns,
  unjudgedAnswers,
  breakerUse,
  circuitSettings,
  continuedStreams,
  parameters,
  carriedParameters,
  closed,
  models,
  misspeltModels,
  embeddingModels,
  knownAbilities,
  capabilityGaps,
  deprecatedModels,
  allowedModels,
];
