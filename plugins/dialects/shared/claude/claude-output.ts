/**
 * How many tokens Claude's models answer with at most, by the names that Anthropic, Bedrock and Vertex AI give them:
 * https://platform.claude.com/docs/en/about-claude/models/overview
 */
const limits: readonly (readonly [RegExp, number])[] = [
  [/claude-(?:fable|mythos)/, 128_000],
  [/claude-(?:opus|sonnet)-4-[6-9]/, 128_000],
  [/claude-(?:opus|sonnet|haiku)-(?:[5-9]|\d\d)(?!\d)/, 128_000],
  [/claude-(?:opus|sonnet|haiku)-4-5/, 64_000],
  [/claude-(?:3-7-sonnet|sonnet-4)(?!\d)/, 64_000],
  [/claude-opus-4(?!\d)/, 32_000],
  [/claude-3-5-(?:sonnet|haiku)/, 8192],
  [/claude-(?:2|instant|3-(?:opus|sonnet|haiku))/, 4096],
];

/** Returns the token limit of one answer, or undefined for a model that is not known here, such as a deployment's name. */
export const claudeOutput = (model: string | undefined): number | undefined =>
  model === undefined ? undefined : limits.find(([names]) => names.test(model))?.[1];
