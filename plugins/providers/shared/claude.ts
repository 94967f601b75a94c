/** The version of Anthropic's API that clouds serve too: https://docs.anthropic.com/en/api/versioning */
export const anthropicVersion = '2023-06-01';

/**
 * The signatures of Claude's reasoning are valid on every platform that serves it:
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export const claudeScope = 'claude';

/** Whether a model is one of Claude, by the names that clouds give it: `anthropic.claude-…`, `claude-…@20250929`. */
export const isClaude = (model: string | undefined): boolean => model !== undefined && /(?:^|[./:])claude/i.test(model);

/** The headers by which clients of Claude's format name its version, and what they try of it: https://docs.anthropic.com/en/api/versioning */
export const claudeClientHeaders: readonly string[] = ['anthropic-beta', 'anthropic-version'];
