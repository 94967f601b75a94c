import type { Check } from './define-check.ts';
import { knownTargets } from './known-targets.ts';

/** Every check, in the order they run. Their findings are shown in the order of the text. */
export const checks: readonly Check[] = [knownTargets];
