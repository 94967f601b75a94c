import { knownConditionFeatures } from './condition-features.ts';
import {
  allBalanceFeatures,
  continueFeature,
  dividedBreakerFeature,
  hedgeFeature,
  keyPoolFeature,
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
  ...allBalanceFeatures,
  continueFeature,
  hedgeFeature,
  keyPoolFeature,
  requireFeature,
]);
