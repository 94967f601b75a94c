import type { Saved } from '../../../../../schema/config/saved.ts';
import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import type { Reading } from '../../../kernel/records/records.ts';
import { type ParsedPrompt, parsePrompt, placedTemplates, promptTemplates } from '../content/parse-prompt.ts';
import type { PromptContent } from '../content/prompt-content.ts';
import { toStoredVersion } from '../content/stored-content.ts';
import type { FindIncludedPartials } from '../store/included-partials.ts';
import { TemplateError } from '../templates/template-error.ts';
import {
  destinationProblems,
  missingPartials,
  parameterProblems,
  sizeProblems,
  templateProblem,
  toPartials,
} from './prompt-problems.ts';

/** The content of a version, and what is wrong with it by itself. */
export interface ValidatedPrompt {
  /** As it is stored. */
  readonly text: string;
  /** Absent if its templates cannot be parsed. */
  readonly prompt?: ParsedPrompt;
  readonly problems: readonly InputProblem[];
}

/** Validates the content of a version. With `saved`, also whether what it is sent to is saved. */
export const validatePrompt = (content: PromptContent, saved: Saved | undefined): ValidatedPrompt => {
  const { prompt, problems = [] } = parsePrompt(content);
  const text = toStoredVersion(content, prompt === undefined ? [] : toPartials(prompt));
  return {
    text,
    ...(prompt === undefined ? {} : { prompt }),
    problems: [
      ...problems.map(templateProblem),
      ...parameterProblems(content.parameters),
      ...sizeProblems(JSON.stringify(content)),
      ...(saved === undefined ? [] : destinationProblems(content, saved)),
    ],
  };
};

const stringPointer = childPointer(rootPointer, 'string');

/** That a template includes too much. Throws everything that is not a `TemplateError`. */
export const tooMuchIncluded = (error: unknown, pointer: JsonPointer = stringPointer): InputProblem => {
  if (!(error instanceof TemplateError)) throw error;
  return { pointer, message: error.message, hint: 'Write some of the texts where they are needed.' };
};

/** Which partials a prompt names that there are not; problems are at `pointer`, that of "string" if absent. */
export const inclusionProblems = async (
  db: Reading,
  tenant: string,
  about: { readonly prompt: ParsedPrompt; readonly included: FindIncludedPartials; readonly pointer?: JsonPointer },
): Promise<readonly InputProblem[]> => {
  const { prompt, included, pointer } = about;
  try {
    const known = await included(db, tenant, { templates: promptTemplates(prompt) });
    return missingPartials(placedTemplates(prompt), known, pointer);
  } catch (error) {
    return [tooMuchIncluded(error, pointer)];
  }
};
