import { gatewayError } from '../../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import { isJsonObject, type JsonObject } from '../../../../../schema/json/json.ts';
import { childPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import type { StoredPrompt } from '../../../../sdk/control-plane/stored-prompt.ts';
import { hyperparametersError } from '../content/parse-prompt.ts';
import { TemplateError } from '../templates/template.ts';
import type { FoundPrompt } from './prompts-of.ts';

const pointer = childPointer(rootPointer, 'variables');

const notAnObject: InputProblem = {
  pointer,
  message: 'The variables must be an object.',
  hint: 'Send {"variables": {"name": "value"}}.',
};

/** Reports that a prompt cannot be rendered. Throws everything that is not a `TemplateError`. */
export const templateError = (error: unknown): InputProblem => {
  if (!(error instanceof TemplateError)) throw error;
  return { pointer, message: error.message, hint: 'Change the variables, or the template.' };
};

/**
 * Renders a prompt for the body of a request: with its `variables`, none if it has no such member, and at its root the
 * parameters that replace the prompt's own. Throws what `toError` makes of what is wrong with the body.
 */
export const renderForBody = (
  prompt: Pick<FoundPrompt, 'render'>,
  { variables = {}, ...overrides }: JsonObject,
  toError: (error: InputProblem) => Error,
): JsonObject => {
  if (!isJsonObject(variables)) throw toError(notAnObject);
  const nested = hyperparametersError(overrides);
  if (nested !== undefined) throw toError(nested);
  try {
    return prompt.render(variables, overrides);
  } catch (error) {
    throw toError(templateError(error));
  }
};

/** Makes a prompt as the data path sends it. `reference` is what a config calls it. */
export const toStoredPrompt = (reference: string, prompt: FoundPrompt): StoredPrompt => {
  const { slug, versionId, virtualKey, kind, bytes } = prompt;
  return {
    ...{ slug, versionId, virtualKey, kind, bytes },
    fill(body) {
      // The prompt takes the place of this.
      const { [kind === 'chat' ? 'messages' : 'prompt']: _replaced, ...rest } = body;
      return renderForBody(prompt, rest, ({ pointer: at, message: reason, hint: suggestion }) =>
        gatewayError('unrendered-prompt', { prompt: reference, pointer: at, reason, suggestion }),
      );
    },
  };
};
