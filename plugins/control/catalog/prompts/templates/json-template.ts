import { type ParseError, parse } from 'jsonc-parser';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { jsonProblem } from '../../../../../schema/json/json-problem.ts';
import { jsonTextError } from '../../../../../schema/json/json-text-error.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import { parseTemplate } from './parse-template.ts';
import { createRenderer, type RenderOptions } from './render-template.ts';
import { positionFinder, type Template, TemplateError, type TemplateProblem } from './template.ts';

/** A mistake in one of the strings of a JSON value; line and column are those of the string. */
interface JsonTemplateProblem extends TemplateProblem {
  readonly pointer: JsonPointer;
}

/** A JSON value each of whose strings is a template by itself. Names of members are no templates. */
export interface JsonTemplate {
  readonly value: Json;
  /** By the strings that they were parsed from. */
  readonly templates: ReadonlyMap<string, Template>;
}

type ParsedJsonTemplate =
  | { readonly template: JsonTemplate; readonly problems?: undefined }
  | { readonly problems: readonly JsonTemplateProblem[]; readonly template?: undefined };

interface PlacedText {
  readonly text: string;
  readonly place: JsonPointer;
}

const textsIn = (value: Json, place: JsonPointer): readonly PlacedText[] => {
  if (typeof value === 'string') return [{ text: value, place }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, childPointer(place, name)));
};

/** Parses each string of a JSON value; the problems of all of them, if there are any. */
export const parseJsonTemplate = (value: Json): ParsedJsonTemplate => {
  const problems: JsonTemplateProblem[] = [];
  const templates = new Map<string, Template>();
  for (const { text, place: pointer } of textsIn(value, rootPointer)) {
    const parsed = parseTemplate(text);
    if (parsed.template !== undefined) templates.set(text, parsed.template);
    else problems.push(...parsed.problems.map((problem) => ({ ...problem, pointer })));
  }
  return problems.length > 0 ? { problems } : { template: { value, templates } };
};

/** A template, and the place of its string in the JSON value. */
interface PlacedTemplate {
  readonly place: JsonPointer;
  readonly template: Template;
}

/** Finds the templates in a JSON value. */
export const templatesIn = ({ value, templates }: JsonTemplate): readonly PlacedTemplate[] =>
  textsIn(value, rootPointer).flatMap(({ text, place }) => {
    const template = templates.get(text);
    return template === undefined ? [] : [{ place, template }];
  });

/**
 * Renders each string of a JSON value. What it takes is counted together; throws a `TemplateError` where it takes more
 * than the limits of `template.ts`.
 */
export const renderJson = ({ value, templates }: JsonTemplate, variables: JsonObject, options: RenderOptions): Json => {
  const render = createRenderer(variables, options);
  const toRendered = (each: Json): Json => {
    if (typeof each === 'string') return render(templates.get(each) ?? { nodes: [] });
    if (typeof each !== 'object' || each === null) return each;
    if (Array.isArray(each)) return each.map(toRendered);
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [name, toRendered(member)]));
  };
  return toRendered(value);
};

/** The place in the engine's own message. */
const enginePlace = / (?:in JSON )?at position \d+(?: \(line \d+ column \d+\))?/;

const lead = 'The rendered text must be JSON';

/** Names the place at which a text stops being JSON, as a part of a sentence. */
const errorPlace = (text: string): string => {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const { line, column } = positionFinder(text)(errors[0]?.offset ?? 0);
  return `line ${line}, column ${column}`;
};

/**
 * Renders a template as a whole and reads the text as a JSON value (`is_raw_template: 1`). Throws a `TemplateError`
 * that says where, if the text is no JSON.
 */
export const renderRaw = (template: Template, variables: JsonObject, options: RenderOptions): Json => {
  const text = createRenderer(variables, options)(template);
  const reason = jsonTextError(text);
  if (reason !== undefined) throw new TemplateError(`${lead}, but ${reason}`);
  try {
    return fromJson(text) as Json;
  } catch (error) {
    throw new TemplateError(
      `${lead}, but at ${errorPlace(text)}: ${jsonProblem(text, error).replace(enginePlace, '')}`,
    );
  }
};
