/** The version of Anthropic's API that clouds also serve: https://docs.anthropic.com/en/api/versioning */
export const anthropicVersion = '2023-06-01';

/**
 * The signatures of Claude's reasoning are valid on every platform that serves it:
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export const claudeScope = 'claude';

/** Whether a model is a Claude model, by the names that clouds use: `anthropic.claude-…`, `claude-…@20250929`. */
export const isClaude = (model: string | undefined): boolean => model !== undefined && /(?:^|[./:])claude/i.test(model);

/**
 * The headers with which clients of Claude's format specify its version, and beta features:
 * https://docs.anthropic.com/en/api/versioning
 */
export const claudeClientHeaders: readonly string[] = ['anthropic-beta', 'anthropic-version'];
