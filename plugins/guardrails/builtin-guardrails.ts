import type { Guardrail } from '../sdk/guardrail/guardrail.ts';
import { promptInjection } from './injection/prompt-injection.ts';
import { partnerGuardrails } from './partners/partner-guardrails.ts';
import { pii } from './privacy/pii.ts';
import { secrets } from './privacy/secrets.ts';
import { addPrefix } from './request/add-prefix.ts';
import { allowedRequestTypes } from './request/allowed-request-types.ts';
import { modelRules } from './request/model-rules.ts';
import { modelWhitelist } from './request/model-whitelist.ts';
import { requestParametersCheck } from './request/request-parameters-check.ts';
import { requiredMetadataKeys } from './request/required-metadata-keys.ts';
import { requiredMetadataPairs } from './request/required-metadata-pairs.ts';
import { inlineImageUrls } from './services/inline-image-urls.ts';
import { jwt } from './services/jwt/jwt.ts';
import { log } from './services/log.ts';
import { validUrls } from './services/valid-urls.ts';
import { webhook } from './services/webhook.ts';
import { jsonKeys } from './structure/json-keys.ts';
import { jsonSchema } from './structure/json-schema.ts';
import { characterCount } from './text/character-count.ts';
import { contains } from './text/contains.ts';
import { containsCode } from './text/contains-code.ts';
import { endsWith } from './text/ends-with.ts';
import { allLowerCase, allUpperCase } from './text/letter-case.ts';
import { notNull } from './text/not-null.ts';
import { regexMatch } from './text/regex-match.ts';
import { regexReplace } from './text/regex-replace.ts';
import { sentenceCount } from './text/sentence-count.ts';
import { similar } from './text/similar.ts';
import { wordCount } from './text/word-count.ts';
import { toolAllowlist } from './tools/tool-allowlist.ts';

/** All built-in checks, by folder and id, one per line. */
export const builtinGuardrails: readonly Guardrail[] = [
  promptInjection,
  pii,
  secrets,
  allowedRequestTypes,
  modelRules,
  modelWhitelist,
  requestParametersCheck,
  requiredMetadataKeys,
  requiredMetadataPairs,
  inlineImageUrls,
  jwt,
  log,
  validUrls,
  webhook,
  jsonKeys,
  jsonSchema,
  addPrefix,
  allLowerCase,
  allUpperCase,
  characterCount,
  contains,
  containsCode,
  endsWith,
  notNull,
  regexMatch,
  regexReplace,
  sentenceCount,
  similar,
  wordCount,
  toolAllowlist,
  ...partnerGuardrails,
];
