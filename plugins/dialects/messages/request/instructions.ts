/**
 * The models that take instructions further on as messages of the role `system`; others reject them:
 * https://docs.anthropic.com/en/docs/build-with-claude/mid-conversation-system-messages
 */
const instructedModel = /claude-(?:opus-(?:4-8|5)|(?:fable|mythos)-5)/;

/** The role of a message that is about to be placed, and of those around it. */
export interface Placing {
  readonly model: string | undefined;
  readonly before: string | undefined;
  /** The first message after it that is no instruction. */
  readonly after: string | undefined;
}

/** Such a message follows the user's, and is the last one or followed by the model's. */
export const isInPlace = ({ model = '', before, after }: Placing): boolean =>
  instructedModel.test(model) && before === 'user' && (after === undefined || after === 'assistant');
