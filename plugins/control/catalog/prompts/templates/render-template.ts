import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { Budget } from './budget.ts';
import { maxLevels } from './limits.ts';
import { lookUpPath, type Scope } from './look-up-path.ts';
import type { PartialNode, SectionNode, Template, TemplateNode, TextNode } from './template.ts';
import { TemplateError } from './template-error.ts';

const jsonText = (value: Json): string => {
  try {
    return JSON.stringify(value);
  } catch {
    throw new TemplateError('A variable is nested too deeply to be written as JSON.');
  }
};

/** A value as text: strings as they are, objects and lists as JSON, and nothing for null and what is missing. */
const valueText = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? jsonText(value) : String(value);
};

export interface RenderOptions {
  /** The partial of a name as written, such as `slug@5`. What is undefined is rendered as nothing. */
  partial(name: string): Template | undefined;
}

interface Place {
  readonly scope: Scope;
  /** The white space before each line of a partial. */
  readonly indentation: string;
  /** How many partials it is in. */
  readonly level: number;
}

/** The items for each of which a section is rendered; undefined if it is rendered once with what is in scope already. */
const findItems = (value: Json | undefined): readonly Json[] | undefined => {
  if (value === true) return undefined;
  if (Array.isArray(value)) return value;
  return value ? [value] : [];
};

class Rendering {
  readonly #output: string[] = [];
  readonly #partial: RenderOptions['partial'];
  readonly #budget: Budget;

  constructor({ partial }: RenderOptions, budget: Budget) {
    this.#partial = partial;
    this.#budget = budget;
  }

  result(): string {
    return this.#output.join('');
  }

  nodes(nodes: readonly TemplateNode[], place: Place): void {
    for (const node of nodes) this.#node(node, place);
  }

  #node(node: TemplateNode, place: Place): void {
    this.#budget.step();
    if (node.kind === 'text') this.#text(node, place.indentation);
    else if (node.kind === 'value') this.#write(valueText(lookUpPath(node.path, place.scope, this.#budget)));
    else if (node.kind === 'partial') this.#includePartial(node, place);
    else this.#section(node, place);
  }

  #text({ text, starts }: TextNode, indentation: string): void {
    const places = indentation === '' ? [] : starts;
    this.#write(text.slice(0, places[0]));
    places.forEach((start, index) => {
      this.#write(indentation);
      this.#write(text.slice(start, places[index + 1]));
    });
  }

  #write(text: string): void {
    if (text === '') return;
    this.#budget.output(text);
    this.#output.push(text);
  }

  #section({ kind, path, nodes }: SectionNode, place: Place): void {
    const items = findItems(lookUpPath(path, place.scope, this.#budget));
    if (kind === 'inverted') {
      if (items?.length === 0) this.nodes(nodes, place);
    } else if (items === undefined) this.nodes(nodes, place);
    else
      for (const item of items) {
        this.#budget.step();
        this.nodes(nodes, { ...place, scope: { item, outer: place.scope } });
      }
  }

  #includePartial({ reference, indentation }: PartialNode, { scope, indentation: outer, level }: Place): void {
    if (level >= maxLevels)
      throw new TemplateError(`The partial "${reference.name}" is nested deeper than ${maxLevels} partials.`);
    const template = this.#partial(reference.name);
    if (template !== undefined)
      this.nodes(template.nodes, { scope, indentation: `${outer}${indentation}`, level: level + 1 });
  }
}

/** Renders with what is left of a budget, so that several templates share one. */
export const renderWithin = (
  budget: Budget,
  { template, variables, options }: { template: Template; variables: JsonObject; options: RenderOptions },
): string => {
  const rendering = new Rendering(options, budget);
  rendering.nodes(template.nodes, { scope: { item: variables }, indentation: '', level: 0 });
  return rendering.result();
};

/**
 * The text of a template with these variables. Nothing is escaped, and values are inserted as they are: braces in them
 * have no meaning. Throws a `TemplateError` where it takes more than the limits of `limits.ts`.
 */
export const renderTemplate = (template: Template, variables: JsonObject, options: RenderOptions): string =>
  renderWithin(new Budget(), { template, variables, options });
