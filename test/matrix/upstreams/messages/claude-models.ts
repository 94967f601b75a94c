/** The differences between models, by their names. */
export interface ClaudeModel {
  /** Whether the model itself chooses how long to think. */
  readonly adapts: boolean;
  /** Whether it accepts a token budget for thinking. */
  readonly hasBudget: boolean;
  readonly hasEffort: boolean;
  /** Whether it accepts instructions between messages. */
  readonly hasInstructions: boolean;
}

/** https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking, /effort and /mid-conversation-system-messages */
export const claudeModel = (name: string): ClaudeModel => {
  const [, minor = '0'] = /(?:opus|sonnet|haiku)-4(?:-(\d))?(?!\d)/.exec(name) ?? [];
  // Claude Code sends them to Sonnet 5.5, which the page does not mention.
  const hasInstructions = /opus-(?:4-8|5)|sonnet-5-5|(?:fable|mythos)-5/.test(name);
  const version = /(?:opus|sonnet|haiku)-4/.test(name) ? Number(minor) : undefined;
  if (version === undefined)
    return { adapts: !/-3/.test(name), hasBudget: /-3-7/.test(name), hasEffort: !/-3/.test(name), hasInstructions };
  return {
    adapts: version >= 6,
    hasBudget: version <= 6,
    hasEffort: version >= 6 || /opus-4-5/.test(name),
    hasInstructions,
  };
};
