import type { Guardrail } from '../sdk/guardrail.ts';
import { contains } from './contains.ts';
import { partnerGuardrails } from './partners/partner-guardrails.ts';
import { regexMatch } from './regex-match.ts';

/** Every check that comes with the gateway: its own, sorted by id, then those of partners. */
export const builtinGuardrails: readonly Guardrail[] = [contains, regexMatch, ...partnerGuardrails];
