import type { Saved } from '../../../../../schema/config/saved.ts';
import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import { problem } from '../../../kernel/requests/problem.ts';
import { type ParsedPrompt, parsePrompt, placedTemplates } from '../content/parse-prompt.ts';
import { type PromptContent, toStoredVersion } from '../content/prompt-content.ts';
import { findPartials, type Position } from '../templates/template.ts';

/** The place of the template in bodies. */
export const stringPointer: JsonPointer = childPointer(rootPointer, 'string');

/** Names the place of a mistake in the string, or in a string of its messages. */
const placeText = ({ line, column }: Position, place: JsonPointer | undefined): string =>
  `at line ${line}, column ${column}${place === undefined ? '' : ` of ${place} in the messages`}`;

/** Makes a problem of the request of a mistake in a template. */
export const templateProblem = ({ place, line, column, pointer, message, hint }: InputProblem): InputProblem =>
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

/** Lists the slugs of the partials that a prompt includes itself. */
const toPartials = (prompt: ParsedPrompt): readonly string[] =>
  placedTemplates(prompt).flatMap(({ template }) => findPartials(template).map(({ slug }) => slug));

/** The most bytes of a version, as JSON. */
const maxVersionBytes = 256 * 1024;

/** Reports a version that is too large. */
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

const parameterProblems = (parameters: JsonObject): readonly InputProblem[] =>
  noParameters
    .filter((name) => Object.hasOwn(parameters, name))
    .map((name) =>
      problem(['parameters', name], `"${name}" is no parameter.`, 'Leave it out: "string" is the template.'),
    );

/** Reports a virtual key or provider of a prompt that is not saved. */
const destinationProblems = ({ virtual_key: name }: PromptContent, saved: Saved): readonly InputProblem[] => {
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
