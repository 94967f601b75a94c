import { beforeAll } from 'vitest';
import { libraryDrivers } from './clients/client-drivers.ts';
import { describeMatrix } from './describe-matrix.ts';
import { libraryScenarios } from './scenarios.ts';

// Otherwise Vercel's library prints warnings about the requests.
beforeAll(() => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
});

describeMatrix({ section: 'libraries', clients: libraryDrivers, scenarios: libraryScenarios });
