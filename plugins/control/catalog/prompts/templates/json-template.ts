import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { isNonEmpty, type NonEmptyArray } from '../../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import { Budget } from './budget.ts';
import { parseTemplate } from './parse-template.ts';
import { type RenderOptions, renderWithin } from './render-template.ts';
import type { Template, TemplateProblem } from './template.ts';

/** A mistake in one of the strings of a JSON value; line and column are those of the string. */
export interface JsonTemplateProblem extends TemplateProblem {
  readonly pointer: JsonPointer;
}

/** A JSON value each of whose strings is a template by itself. Names of members are no templates. */
export type JsonTemplate =
  | { readonly kind: 'plain'; readonly value: Json }
  | { readonly kind: 'text'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly JsonTemplate[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, value: JsonTemplate])[] };

export type ParsedJsonTemplate =
  | { readonly template: JsonTemplate; readonly problems?: undefined }
  | { readonly problems: NonEmptyArray<JsonTemplateProblem>; readonly template?: undefined };

const toTemplate = (value: Json, pointer: JsonPointer, problems: JsonTemplateProblem[]): JsonTemplate => {
  if (typeof value === 'string') {
    const parsed = parseTemplate(value);
    if (parsed.template !== undefined) return { kind: 'text', template: parsed.template };
    problems.push(...parsed.problems.map((problem) => ({ ...problem, pointer })));
  }
  if (typeof value !== 'object' || value === null) return { kind: 'plain', value };
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) => toTemplate(item, childPointer(pointer, index), problems));
    return { kind: 'list', items };
  }
  const members = Object.entries(value as JsonObject).map(
    ([name, member]) => [name, toTemplate(member, childPointer(pointer, name), problems)] as const,
  );
  return { kind: 'object', members };
};

/** Parses each string of a JSON value; the problems of all of them, if there are any. */
export const parseJsonTemplate = (value: Json): ParsedJsonTemplate => {
  const problems: JsonTemplateProblem[] = [];
  const template = toTemplate(value, rootPointer, problems);
  return isNonEmpty(problems) ? { problems } : { template };
};

/** A template, and the place of its string in the JSON value. */
export interface PlacedTemplate {
  readonly place: JsonPointer;
  readonly template: Template;
}

/** The templates in a JSON value. */
export const templatesIn = (template: JsonTemplate, place: JsonPointer = rootPointer): readonly PlacedTemplate[] => {
  if (template.kind === 'text') return [{ place, template: template.template }];
  if (template.kind === 'list')
    return template.items.flatMap((item, index) => templatesIn(item, childPointer(place, index)));
  if (template.kind === 'plain') return [];
  return template.members.flatMap(([name, member]) => templatesIn(member, childPointer(place, name)));
};

/**
 * The JSON value with each string rendered. What it takes is counted together; throws a `TemplateError` where it takes
 * more than the limits of `limits.ts`.
 */
export const renderJson = (template: JsonTemplate, variables: JsonObject, options: RenderOptions): Json => {
  const budget = new Budget();
  const rendered = (each: JsonTemplate): Json => {
    if (each.kind === 'plain') return each.value;
    if (each.kind === 'text') return renderWithin(budget, { template: each.template, variables, options });
    if (each.kind === 'list') return each.items.map(rendered);
    return Object.fromEntries(each.members.map(([name, member]) => [name, rendered(member)]));
  };
  return rendered(template);
};
