import type { Saved } from '../../../../../schema/config/saved.ts';
import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import { problem } from '../../../kernel/requests/problem.ts';
import { maxVersionBytes } from '../content/limits.ts';
import {
  type ParsedPrompt,
  type PromptProblem,
  type PromptTemplate,
  placedTemplates,
} from '../content/parse-prompt.ts';
import type { PromptContent } from '../content/prompt-content.ts';
import type { IncludedPartials } from '../store/included-partials.ts';
import { findPartials } from '../templates/find-partials.ts';
import type { Position } from '../templates/template.ts';

const stringPointer = childPointer(rootPointer, 'string');

/** Where in the string, or in which string of its messages, a mistake is. */
const placeText = ({ line, column }: Position, place: JsonPointer | undefined): string =>
  `at line ${line}, column ${column}${place === undefined ? '' : ` of ${place} in the messages`}`;

/** A mistake in a template as a problem of the request. */
export const templateProblem = ({ place, line, column, pointer, message, hint }: PromptProblem): InputProblem =>
  line === undefined || column === undefined
    ? { pointer, message, hint }
    : {
        pointer,
        message: `${message.replace(/\.$/, '')} (${placeText({ line, column }, place)}).`,
        hint,
        line,
        column,
        ...(place === undefined ? {} : { place }),
      };

/** The partials that templates name and that there are not. */
export const missingPartials = (
  templates: readonly PromptTemplate[],
  included: IncludedPartials,
  pointer: JsonPointer = stringPointer,
): readonly InputProblem[] =>
  templates.flatMap(({ place, template }) =>
    findPartials(template)
      .filter(({ name }) => !included.has(name))
      .map(({ name, line, column }) =>
        templateProblem({
          pointer,
          message: `There is no partial "${name}".`,
          hint: 'GET /v1/prompts/partials lists the partials, and GET /v1/prompts/partials/{id}/versions their versions.',
          ...{ line, column },
          ...(place === undefined ? {} : { place }),
        }),
      ),
  );

/** The slugs of the partials that a prompt includes itself. */
export const toPartials = (prompt: ParsedPrompt): readonly string[] =>
  placedTemplates(prompt).flatMap(({ template }) => findPartials(template).map(({ slug }) => slug));

/** That a version is too large. */
export const sizeProblems = (text: string, pointer: JsonPointer = rootPointer): readonly InputProblem[] => {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxVersionBytes) return [];
  return [
    {
      pointer,
      message: `A version has at most ${maxVersionBytes} bytes, and this one has ${bytes}.`,
      hint: 'Put what is long into partials, or into the values of variables.',
    },
  ];
};

/** Members that a rendered prompt has from its template, or that a request has beside its parameters. */
const noParameters = ['messages', 'prompt', 'variables'] as const;

export const parameterProblems = (parameters: JsonObject): readonly InputProblem[] =>
  noParameters
    .filter((name) => Object.hasOwn(parameters, name))
    .map((name) =>
      problem(['parameters', name], `"${name}" is no parameter.`, 'Leave it out: "string" is the template.'),
    );

/** That the virtual key or provider of a prompt is not saved. */
export const destinationProblems = ({ virtual_key: name }: PromptContent, saved: Saved): readonly InputProblem[] => {
  const isProvider = name.startsWith('@');
  const slug = isProvider ? name.slice(1) : name;
  if (Object.hasOwn(isProvider ? saved.providers : saved.virtualKeys, slug)) return [];
  const what = isProvider ? 'saved provider' : 'virtual key';
  const hint =
    !isProvider && Object.hasOwn(saved.providers, slug)
      ? `Write "@${slug}" for the saved provider of that name.`
      : 'Write the slug of a virtual key, or "@" and the slug of a saved provider.';
  return [problem(['virtual_key'], `There is no ${what} "${slug.slice(0, 255)}".`, hint)];
};
