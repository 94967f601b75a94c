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

/** The items of the sections that are being rendered, the innermost first, and the variables last. */
interface Scope {
  readonly item: Json;
  readonly outer?: Scope;
}

/** Returns the member of a JSON value with a name, or the item of a list by its index. Prototypes are ignored. */
const findMember = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && Object.prototype.propertyIsEnumerable.call(value, name)
    ? (value as { readonly [name: string]: Json })[name]
    : undefined;

/** Converts a value to text: strings as they are, objects and lists as JSON, and an empty text for null and missing values. */
const valueText = (value: Json | undefined): string => {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  try {
    return JSON.stringify(value);
  } catch {
    throw new TemplateError('A variable is nested too deeply to be written as JSON.');
  }
};

export interface RenderOptions {
  /** Returns the partial with a name as written, such as `slug@5`. If undefined, nothing is rendered. */
  partial(name: string): Template | undefined;
  /** Called for each tag that inserts a variable without a value, with the variable's name. Nothing is inserted. */
  missing?(name: string): void;
}

interface Place {
  readonly scope: Scope;
  /** The white space in front of each line of a partial. */
  readonly indentation: string;
  /** How many partials enclose it. */
  readonly level: number;
}

/** Returns the items for each of which a section is rendered; undefined if it is rendered once in the current scope. */
const findItems = (value: Json | undefined): readonly Json[] | undefined => {
  if (value === true) return undefined;
  if (Array.isArray(value)) return value;
  return value ? [value] : [];
};

/**
 * Renders templates with variables. Nothing is escaped, and values are inserted as they are: braces in them have no meaning. The
 * limits apply to everything that one renderer renders, in total.
 */
export class Renderer {
  readonly #variables: JsonObject;
  readonly #partial: RenderOptions['partial'];
  readonly #missing: RenderOptions['missing'];
  #bytes = maxBytes;
  #steps = maxSteps;
  #output = '';

  constructor(variables: JsonObject, { partial, missing }: RenderOptions) {
    this.#variables = variables;
    this.#partial = partial;
    this.#missing = missing;
  }

  /** Renders a template. Throws a `TemplateError` if all that was rendered exceeds the limits in `template.ts`. */
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

  /** Looks up the first part of a name from the innermost item outwards, and the other parts only in what was found. */
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
      else if (node.kind === 'value') this.#renderValue(node.path, place.scope);
      else if (node.kind === 'partial') this.#renderPartial(node, place);
      else this.#renderSection(node, place);
    }
  }

  #renderValue(path: Path, scope: Scope): void {
    const value = this.#lookUp(path, scope);
    if (value === undefined) this.#missing?.(path.join('.'));
    this.#write(valueText(value));
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

/** A JSON value in which each string is a template. Names of members are not templates. */
export interface JsonTemplate {
  readonly value: Json;
  /** The templates, by the strings that they were parsed from. */
  readonly templates: ReadonlyMap<string, Template>;
}

type ParsedJsonTemplate =
  | { readonly template: JsonTemplate; readonly problems?: undefined }
  | { readonly problems: readonly JsonTemplateProblem[]; readonly template?: undefined };

interface PlacedText {
  readonly text: string;
  readonly place: JsonPointer;
}

/** Adds to a single list, because nested lists would be copied at every level. */
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

/** Parses each string of a JSON value, or returns the problems of all of them. */
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

/** Returns the templates in a JSON value, with the places of their strings. */
export const templatesIn = ({
  value,
  templates,
}: JsonTemplate): readonly { readonly place: JsonPointer; readonly template: Template }[] =>
  textsIn(value).flatMap(({ text, place }) => {
    const template = templates.get(text);
    return template === undefined ? [] : [{ place, template }];
  });

/** Renders each string of a JSON value. Throws a `TemplateError` if they exceed the limits in `template.ts` in total. */
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

/** The position in the engine's own message. */
const enginePlace = / (?:in JSON )?at position \d+(?: \(line \d+ column \d+\))?/;

const lead = 'The rendered text must be JSON';

/** Describes the position at which a text stops being JSON, as a part of a sentence. */
const errorPlace = (text: string): string => {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const { line, column } = positionFinder(text)(errors[0]?.offset ?? 0);
  return `line ${line}, column ${column}`;
};

/**
 * Renders a template as a whole and parses the text as JSON (`is_raw_template: 1`). Throws a `TemplateError` with the position if
 * the text is not JSON.
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
