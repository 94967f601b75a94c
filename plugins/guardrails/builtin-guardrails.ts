import type { Guardrail } from '../sdk/guardrail.ts';
import { contains } from './contains.ts';
import { promptInjection } from './injection/prompt-injection.ts';
import { pii } from './privacy/pii.ts';
import { secrets } from './privacy/secrets.ts';
import { regexMatch } from './regex-match.ts';
import { toolAllowlist } from './tools/tool-allowlist.ts';

/** Every check that comes with the gateway, sorted by id. */
export const builtinGuardrails: readonly Guardrail[] = [
  contains,
  pii,
  promptInjection,
  regexMatch,
  secrets,
  toolAllowlist,
];
