import { type ParseError, parse } from 'jsonc-parser';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { jsonProblem } from '../../../../../schema/json/json-problem.ts';
import { jsonTextError } from '../../../../../schema/json/json-text-error.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import { parseTemplate } from './parse-template.ts';
import {
  maxBytes,
  maxLevels,
  maxSteps,
  type PartialNode,
  type Path,
  positionFinder,
  type SectionNode,
  type Template,
  TemplateError,
  type TemplateNode,
  type TemplateProblem,
  type TextNode,
} from './template.ts';

/** The items of the sections that are being rendered, the innermost first, and last the variables. */
interface Scope {
  readonly item: Json;
  readonly outer?: Scope;
}

/** Finds what a JSON value has by a name: a member, or an item of a list by its index. Nothing of a prototype. */
const findMember = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && Object.prototype.propertyIsEnumerable.call(value, name)
    ? (value as { readonly [name: string]: Json })[name]
    : undefined;

/** Writes a value as text: strings as they are, objects and lists as JSON, and nothing for null and what is missing. */
const valueText = (value: Json | undefined): string => {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  try {
    return JSON.stringify(value);
  } catch {
    throw new TemplateError('A variable is nested too deeply to be written as JSON.');
  }
};

export interface RenderOptions {
  /** Finds the partial of a name as written, such as `slug@5`. What is undefined is rendered as nothing. */
  partial(name: string): Template | undefined;
}

interface Place {
  readonly scope: Scope;
  /** The white space before each line of a partial. */
  readonly indentation: string;
  /** How many partials it is in. */
  readonly level: number;
}

/**
 * Finds the items for each of which a section is rendered; undefined if it is rendered once with what is in scope
 * already.
 */
const findItems = (value: Json | undefined): readonly Json[] | undefined => {
  if (value === true) return undefined;
  if (Array.isArray(value)) return value;
  return value ? [value] : [];
};

/**
 * Renders templates with variables. Nothing is escaped, and values are inserted as they are: braces in them have no meaning.
 * All that one renderer renders is counted together.
 */
export class Renderer {
  readonly #variables: JsonObject;
  readonly #partial: RenderOptions['partial'];
  #bytes = maxBytes;
  #steps = maxSteps;
  #output = '';

  constructor(variables: JsonObject, { partial }: RenderOptions) {
    this.#variables = variables;
    this.#partial = partial;
  }

  /** Renders a template. Throws a `TemplateError` where all that was rendered takes more than the limits of `template.ts`. */
  render({ nodes }: Template): string {
    this.#output = '';
    this.#renderAll(nodes, { scope: { item: this.#variables }, indentation: '', level: 0 });
    return this.#output;
  }

  #step(): void {
    this.#steps -= 1;
    if (this.#steps < 0)
      throw new TemplateError(
        `Rendering takes more than ${maxSteps.toLocaleString('en')} steps; give shorter lists or nest fewer sections.`,
      );
  }

  #write(text: string): void {
    this.#bytes -= text.length > this.#bytes ? text.length : Buffer.byteLength(text);
    if (this.#bytes < 0)
      throw new TemplateError('The rendered text would be larger than 1 MiB; give shorter values or shorter lists.');
    this.#output += text;
  }

  /** Looks for the first part of a name from the innermost item outwards, and for the others only in what was found. */
  #lookUp([first, ...others]: Path, scope: Scope): Json | undefined {
    if (first === undefined) return scope.item;
    let value: Json | undefined;
    for (let each: Scope | undefined = scope; each !== undefined && value === undefined; each = each.outer) {
      this.#step();
      value = findMember(each.item, first);
    }
    for (const name of others) {
      this.#step();
      value = findMember(value, name);
    }
    return value;
  }

  #renderAll(nodes: readonly TemplateNode[], place: Place): void {
    for (const node of nodes) {
      this.#step();
      if (node.kind === 'text') this.#renderText(node, place.indentation);
      else if (node.kind === 'value') this.#write(valueText(this.#lookUp(node.path, place.scope)));
      else if (node.kind === 'partial') this.#renderPartial(node, place);
      else this.#renderSection(node, place);
    }
  }

  #renderText({ text, starts }: TextNode, indentation: string): void {
    const places = indentation === '' ? [] : starts;
    this.#write(text.slice(0, places[0]));
    for (const [index, start] of places.entries()) this.#write(`${indentation}${text.slice(start, places[index + 1])}`);
  }

  #renderSection({ kind, path, nodes }: SectionNode, place: Place): void {
    const items = findItems(this.#lookUp(path, place.scope));
    if (kind === 'inverted' ? items?.length === 0 : items === undefined) this.#renderAll(nodes, place);
    if (kind === 'inverted' || items === undefined) return;
    for (const item of items) {
      this.#step();
      this.#renderAll(nodes, { ...place, scope: { item, outer: place.scope } });
    }
  }

  #renderPartial({ reference: { name }, indentation }: PartialNode, place: Place): void {
    if (place.level >= maxLevels)
      throw new TemplateError(`The partial "${name}" is nested deeper than ${maxLevels} partials.`);
    const inner = { ...place, indentation: `${place.indentation}${indentation}`, level: place.level + 1 };
    this.#renderAll(this.#partial(name)?.nodes ?? [], inner);
  }
}

/** A mistake in one of the strings of a JSON value; line and column are those of the string. */
type JsonTemplateProblem = TemplateProblem & { readonly pointer: JsonPointer };

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

/** To one list: each of the nested ones would otherwise be copied at every level. */
const addTexts = (texts: PlacedText[], value: Json, place: JsonPointer): void => {
  if (typeof value === 'string') texts.push({ text: value, place });
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) addTexts(texts, member, childPointer(place, name));
};

const textsIn = (value: Json): readonly PlacedText[] => {
  const texts: PlacedText[] = [];
  addTexts(texts, value, rootPointer);
  return texts;
};

/** Parses each string of a JSON value, or finds the problems of all of them. */
export const parseJsonTemplate = (value: Json): ParsedJsonTemplate => {
  const problems: JsonTemplateProblem[] = [];
  const templates = new Map<string, Template>();
  for (const { text, place: pointer } of textsIn(value)) {
    const parsed = parseTemplate(text);
    if (parsed.template !== undefined) templates.set(text, parsed.template);
    else problems.push(...parsed.problems.map((problem) => ({ ...problem, pointer })));
  }
  return problems.length > 0 ? { problems } : { template: { value, templates } };
};

/** Finds the templates in a JSON value, with the places of their strings. */
export const templatesIn = ({
  value,
  templates,
}: JsonTemplate): readonly { readonly place: JsonPointer; readonly template: Template }[] =>
  textsIn(value).flatMap(({ text, place }) => {
    const template = templates.get(text);
    return template === undefined ? [] : [{ place, template }];
  });

/**
 * Renders each string of a JSON value. What it takes is counted together; throws a `TemplateError` where it takes more
 * than the limits of `template.ts`.
 */
export const renderJson = ({ value, templates }: JsonTemplate, variables: JsonObject, options: RenderOptions): Json => {
  const renderer = new Renderer(variables, options);
  const toRendered = (each: Json): Json => {
    if (typeof each === 'string') return renderer.render(templates.get(each) ?? { nodes: [] });
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
  const text = new Renderer(variables, options).render(template);
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
