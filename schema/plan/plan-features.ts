import { knownConditionFeatures } from './condition-features.ts';
import {
  balanceFeatureNames,
  continueFeature,
  dividedBreakerFeature,
  hedgeFeature,
  keyPoolFeature,
  mirrorFeature,
  probeFeature,
  requireFeature,
  stageOrder,
} from './plan.ts';
import { requestBoundFeatures } from './request-bounds.ts';
import { targetSettingFeatures } from './target-settings.ts';

/** The plan features that this build reads and runs, by the names in `requires.features`. */
export const planFeatures: ReadonlySet<string> = new Set([
  ...stageOrder,
  dividedBreakerFeature,
  probeFeature,
  ...targetSettingFeatures,
  ...knownConditionFeatures,
  ...Object.values(requestBoundFeatures),
  ...balanceFeatureNames,
  continueFeature,
  hedgeFeature,
  keyPoolFeature,
  mirrorFeature,
  requireFeature,
]);
