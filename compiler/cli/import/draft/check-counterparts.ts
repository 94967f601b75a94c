/** Words in the names of other gateways' checks, with the checks that do the same here; the first match wins. */
const counterparts: readonly (readonly [words: RegExp, check: string])[] = [
  [/^acuvity/, 'acuvity.scan'],
  [/^akto/, 'akto.scan'],
  [/^(?:alibaba|aliyun)/, 'alibaba-cloud.aiGuardrails'],
  [/^aporia/, 'aporia.validateProject'],
  [/prompt_?shield|shieldprompt/, 'azure.shieldPrompt'],
  [/^azure.*(?:moderation|safety)/, 'azure.contentSafety'],
  [/^bedrock/, 'bedrock.guard'],
  [/^cato/, 'cato.analyze'],
  [/^crowdstrike/, 'crowdstrike-aidr.guardChatCompletions'],
  [/^f5/, 'f5-guardrails.scan'],
  [/^javelin/, 'javelin.guardrails'],
  [/^lakera/, 'lakera.guard'],
  [/^lasso/, 'lasso.classify'],
  [/^pangea/, 'pangea.textGuard'],
  [/^panw/, 'panw-prisma-airs.intercept'],
  [/^pillar/, 'pillar.scanPrompt'],
  [/^prompt_?security/, 'promptsecurity.protectPrompt'],
  [/^qualifire/, 'qualifire.contentModeration'],
  [/^syde/, 'sydelabs.sydeguard'],
  [/^walled/, 'walledai.walledprotect'],
  [/^zscaler/, 'zscaler.aiGuard'],
  [/pii|presidio/, 'default.pii'],
  [/secret/, 'default.secrets'],
  [/injection|jailbreak/, 'default.promptInjection'],
  [/moderat|toxic/, 'mistral.moderateContent'],
  [/tool_?permission/, 'default.toolAllowlist'],
];

/** Returns the check that corresponds to another gateway's check, by the words in its name; undefined if there is none. */
export const counterpartOf = (name: string): string | undefined =>
  counterparts.find(([words]) => words.test(name.toLowerCase()))?.[1];
