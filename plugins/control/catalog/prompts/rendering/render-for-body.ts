import { isJsonObject, type JsonObject } from '../../../../../schema/json/json.ts';
import { childPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import { type BodyFault, hyperparametersFault } from '../content/hyperparameters-fault.ts';
import { TemplateError } from '../templates/template-error.ts';
import type { FoundPrompt } from './prompts-of.ts';

export type RenderedForBody =
  | { readonly data: JsonObject; readonly fault?: undefined }
  | { readonly fault: BodyFault; readonly data?: undefined };

const pointer = childPointer(rootPointer, 'variables');

const notAnObject: BodyFault = {
  pointer,
  message: 'The variables must be an object.',
  hint: 'Send {"variables": {"name": "value"}}.',
};

/** That a prompt cannot be rendered. Throws everything that is not a `TemplateError`. */
export const templateFault = (error: unknown): BodyFault => {
  if (!(error instanceof TemplateError)) throw error;
  return { pointer, message: error.message, hint: 'Change the variables, or the template.' };
};

/**
 * A prompt rendered for the body of a request: with its `variables`, none if it has no such member, and at its root the
 * parameters that replace the prompt's own.
 */
export const renderForBody = (
  prompt: Pick<FoundPrompt, 'render'>,
  { variables = {}, ...overrides }: JsonObject,
): RenderedForBody => {
  if (!isJsonObject(variables)) return { fault: notAnObject };
  const nested = hyperparametersFault(overrides);
  if (nested !== undefined) return { fault: nested };
  try {
    return { data: prompt.render(variables, overrides) };
  } catch (error) {
    return { fault: templateFault(error) };
  }
};
