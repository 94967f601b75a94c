import type { Guardrail } from '../sdk/guardrail/guardrail.ts';
import { lateGuardrail } from '../sdk/guardrail/late-guardrail.ts';

const named = (id: string, load: () => Promise<Guardrail>, aliases?: readonly string[]): Guardrail =>
  lateGuardrail({ id, load, ...(aliases === undefined ? {} : { aliases }) });

/** Declares the checks of one partner, which are loaded together. */
const partner = (load: () => Promise<readonly Guardrail[]>, ids: readonly string[]): readonly Guardrail[] =>
  ids.map((id) =>
    named(id, async () => {
      const found = (await load()).find((guardrail) => guardrail.id === id);
      if (found === undefined) throw new RangeError(`Its partner declares no check "${id}".`);
      return found;
    }),
  );

/** The same checks as `builtinGuardrails`, in the same order, for a running gateway: most gateways need few of them, or none. */
export const lazyGuardrails: readonly Guardrail[] = [
  named('default.promptInjection', async () => (await import('./injection/prompt-injection.ts')).promptInjection),
  named('default.pii', async () => (await import('./privacy/pii.ts')).pii),
  named('default.secrets', async () => (await import('./privacy/secrets.ts')).secrets),
  named(
    'default.allowedRequestTypes',
    async () => (await import('./request/allowed-request-types.ts')).allowedRequestTypes,
  ),
  named('default.modelRules', async () => (await import('./request/model-rules.ts')).modelRules),
  named('default.modelWhitelist', async () => (await import('./request/model-whitelist.ts')).modelWhitelist),
  named(
    'default.requestParametersCheck',
    async () => (await import('./request/request-parameters-check.ts')).requestParametersCheck,
  ),
  named(
    'default.requiredMetadataKeys',
    async () => (await import('./request/required-metadata-keys.ts')).requiredMetadataKeys,
  ),
  named(
    'default.requiredMetadataKeyValuePairs',
    async () => (await import('./request/required-metadata-pairs.ts')).requiredMetadataPairs,
  ),
  named('default.inlineImageUrls', async () => (await import('./services/inline-image-urls.ts')).inlineImageUrls),
  named('default.jwt', async () => (await import('./services/jwt/jwt.ts')).jwt),
  named('default.log', async () => (await import('./services/log.ts')).log),
  named('default.validUrls', async () => (await import('./services/valid-urls.ts')).validUrls),
  named('default.webhook', async () => (await import('./services/webhook.ts')).webhook),
  named('default.jsonKeys', async () => (await import('./structure/json-keys.ts')).jsonKeys),
  named('default.jsonSchema', async () => (await import('./structure/json-schema.ts')).jsonSchema),
  named('default.addPrefix', async () => (await import('./request/add-prefix.ts')).addPrefix),
  named('default.alllowercase', async () => (await import('./text/letter-case.ts')).allLowerCase, [
    'default.isAllLowerCase',
  ]),
  named('default.alluppercase', async () => (await import('./text/letter-case.ts')).allUpperCase, [
    'default.isAllUpperCase',
  ]),
  named('default.characterCount', async () => (await import('./text/character-count.ts')).characterCount),
  named('default.contains', async () => (await import('./text/contains.ts')).contains),
  named('default.containsCode', async () => (await import('./text/contains-code.ts')).containsCode),
  named('default.endsWith', async () => (await import('./text/ends-with.ts')).endsWith),
  named('default.notNull', async () => (await import('./text/not-null.ts')).notNull),
  named('default.regexMatch', async () => (await import('./text/regex-match.ts')).regexMatch),
  named('default.regexReplace', async () => (await import('./text/regex-replace.ts')).regexReplace),
  named('default.sentenceCount', async () => (await import('./text/sentence-count.ts')).sentenceCount),
  named('default.similar', async () => (await import('./text/similar.ts')).similar),
  named('default.wordCount', async () => (await import('./text/word-count.ts')).wordCount),
  named('default.toolAllowlist', async () => (await import('./tools/tool-allowlist.ts')).toolAllowlist),
  ...partner(
    async () => (await import('./partners/acuvity/acuvity-guardrails.ts')).acuvityGuardrails,
    ['acuvity.scan'],
  ),
  ...partner(async () => (await import('./partners/akto/akto-guardrails.ts')).aktoGuardrails, ['akto.scan']),
  ...partner(
    async () => (await import('./partners/alibaba-cloud/alibaba-guardrails.ts')).alibabaGuardrails,
    ['alibaba-cloud.aiGuardrails'],
  ),
  ...partner(
    async () => (await import('./partners/aporia/aporia-guardrails.ts')).aporiaGuardrails,
    ['aporia.validateProject'],
  ),
  ...partner(
    async () => (await import('./partners/azure/azure-guardrails.ts')).azureGuardrails,
    ['azure.contentSafety', 'azure.pii', 'azure.protectedMaterial', 'azure.shieldPrompt'],
  ),
  ...partner(
    async () => (await import('./partners/bedrock/bedrock-guardrails.ts')).bedrockGuardrails,
    ['bedrock.guard'],
  ),
  ...partner(async () => (await import('./partners/cato/cato-guardrails.ts')).catoGuardrails, ['cato.analyze']),
  ...partner(
    async () => (await import('./partners/crowdstrike-aidr/aidr-guardrails.ts')).aidrGuardrails,
    ['crowdstrike-aidr.guardChatCompletions'],
  ),
  ...partner(async () => (await import('./partners/exa/exa-guardrails.ts')).exaGuardrails, ['exa.online']),
  ...partner(
    async () => (await import('./partners/f5-guardrails/f5-guardrails.ts')).f5Guardrails,
    ['f5-guardrails.scan'],
  ),
  ...partner(
    async () => (await import('./partners/javelin/javelin-guardrails.ts')).javelinGuardrails,
    ['javelin.guardrails'],
  ),
  ...partner(async () => (await import('./partners/lakera/lakera-guardrails.ts')).lakeraGuardrails, ['lakera.guard']),
  ...partner(async () => (await import('./partners/lasso/lasso-guardrails.ts')).lassoGuardrails, ['lasso.classify']),
  ...partner(
    async () => (await import('./partners/mistral/mistral-guardrails.ts')).mistralGuardrails,
    ['mistral.moderateContent'],
  ),
  ...partner(
    async () => (await import('./partners/pangea/pangea-guardrails.ts')).pangeaGuardrails,
    ['pangea.pii', 'pangea.textGuard'],
  ),
  ...partner(
    async () => (await import('./partners/panw-prisma-airs/panw-guardrails.ts')).panwGuardrails,
    ['panw-prisma-airs.intercept'],
  ),
  ...partner(
    async () => (await import('./partners/patronus/patronus-guardrails.ts')).patronusGuardrails,
    [
      'patronus.custom',
      'patronus.isConcise',
      'patronus.isHelpful',
      'patronus.isPolite',
      'patronus.noApologies',
      'patronus.noGenderBias',
      'patronus.noRacialBias',
      'patronus.phi',
      'patronus.pii',
      'patronus.retrievalAnswerRelevance',
      'patronus.retrievalHallucination',
      'patronus.toxicity',
    ],
  ),
  ...partner(
    async () => (await import('./partners/pillar/pillar-guardrails.ts')).pillarGuardrails,
    ['pillar.scanPrompt', 'pillar.scanResponse'],
  ),
  ...partner(
    async () => (await import('./partners/promptfoo/promptfoo-guardrails.ts')).promptfooGuardrails,
    ['promptfoo.guard', 'promptfoo.harm', 'promptfoo.pii'],
  ),
  ...partner(
    async () => (await import('./partners/promptsecurity/promptsecurity-guardrails.ts')).promptsecurityGuardrails,
    ['promptsecurity.protectPrompt', 'promptsecurity.protectResponse'],
  ),
  ...partner(
    async () => (await import('./partners/qualifire/qualifire-guardrails.ts')).qualifireGuardrails,
    [
      'qualifire.contentModeration',
      'qualifire.grounding',
      'qualifire.hallucinations',
      'qualifire.pii',
      'qualifire.policy',
      'qualifire.promptInjections',
      'qualifire.toolUseQuality',
    ],
  ),
  ...partner(
    async () => (await import('./partners/sydelabs/sydelabs-guardrails.ts')).sydelabsGuardrails,
    ['sydelabs.sydeguard'],
  ),
  ...partner(async () => (await import('./partners/tavily/tavily-guardrails.ts')).tavilyGuardrails, ['tavily.online']),
  ...partner(
    async () => (await import('./partners/walledai/walledai-guardrails.ts')).walledaiGuardrails,
    ['walledai.walledprotect'],
  ),
  ...partner(
    async () => (await import('./partners/zscaler/zscaler-guardrails.ts')).zscalerGuardrails,
    ['zscaler.aiGuard'],
  ),
];
