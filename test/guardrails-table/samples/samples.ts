import { requestSamples, structureSamples, textSamples } from './own-samples.ts';
import { partnerSamples } from './partner-samples.ts';
import { privacySamples } from './privacy-samples.ts';
import type { CheckSample } from './sample.ts';
import { serviceSamples } from './service-samples.ts';

/** The samples of the built-in checks that judge a single answer. */
export const samples: readonly CheckSample[] = [
  ...privacySamples,
  ...requestSamples,
  ...serviceSamples,
  ...structureSamples,
  ...textSamples,
  ...partnerSamples,
];
