/** What differs between models, by their names. */
export interface ClaudeModel {
  /** Chooses itself how long it thinks. */
  readonly adapts: boolean;
  /** Accepts a budget of tokens to think with. */
  readonly hasBudget: boolean;
  readonly hasEffort: boolean;
}

/** https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking and /effort */
export const claudeModel = (name: string): ClaudeModel => {
  const [, minor = '0'] = /(?:opus|sonnet|haiku)-4(?:-(\d))?(?!\d)/.exec(name) ?? [];
  const version = /(?:opus|sonnet|haiku)-4/.test(name) ? Number(minor) : undefined;
  if (version === undefined)
    return { adapts: !/-3/.test(name), hasBudget: /-3-7/.test(name), hasEffort: !/-3/.test(name) };
  return { adapts: version >= 6, hasBudget: version <= 6, hasEffort: version >= 6 || /opus-4-5/.test(name) };
};
