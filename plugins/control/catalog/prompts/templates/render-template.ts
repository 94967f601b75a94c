import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import {
  maxBytes,
  maxLevels,
  maxSteps,
  type PartialNode,
  type Path,
  type SectionNode,
  type Template,
  TemplateError,
  type TemplateNode,
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
 * Makes a function that renders templates with these variables. Nothing is escaped, and values are inserted as they
 * are: braces in them have no meaning. It throws a `TemplateError` where all that it renders takes more than the limits
 * of `template.ts`.
 */
export const createRenderer = (variables: JsonObject, { partial }: RenderOptions): ((template: Template) => string) => {
  let bytes = maxBytes;
  let steps = maxSteps;
  let output = '';

  const step = (): void => {
    steps -= 1;
    if (steps < 0)
      throw new TemplateError(
        `Rendering takes more than ${maxSteps.toLocaleString('en')} steps; give shorter lists or nest fewer sections.`,
      );
  };

  const write = (text: string): void => {
    bytes -= text.length > bytes ? text.length : Buffer.byteLength(text);
    if (bytes < 0)
      throw new TemplateError('The rendered text would be larger than 1 MiB; give shorter values or shorter lists.');
    output += text;
  };

  /** Looks for the first part of a name from the innermost item outwards, and for the others only in what was found. */
  const lookUp = ([first, ...others]: Path, scope: Scope): Json | undefined => {
    if (first === undefined) return scope.item;
    let value: Json | undefined;
    for (let each: Scope | undefined = scope; each !== undefined && value === undefined; each = each.outer) {
      step();
      value = findMember(each.item, first);
    }
    for (const name of others) {
      step();
      value = findMember(value, name);
    }
    return value;
  };

  const renderAll = (nodes: readonly TemplateNode[], place: Place): void => {
    for (const node of nodes) render(node, place);
  };

  const renderText = ({ text, starts }: TextNode, indentation: string): void => {
    const places = indentation === '' ? [] : starts;
    write(text.slice(0, places[0]));
    for (const [index, start] of places.entries()) write(`${indentation}${text.slice(start, places[index + 1])}`);
  };

  const renderSection = ({ kind, path, nodes }: SectionNode, place: Place): void => {
    const items = findItems(lookUp(path, place.scope));
    if (kind === 'inverted' ? items?.length === 0 : items === undefined) renderAll(nodes, place);
    if (kind === 'inverted' || items === undefined) return;
    for (const item of items) {
      step();
      renderAll(nodes, { ...place, scope: { item, outer: place.scope } });
    }
  };

  const renderPartial = ({ reference: { name }, indentation }: PartialNode, place: Place): void => {
    if (place.level >= maxLevels)
      throw new TemplateError(`The partial "${name}" is nested deeper than ${maxLevels} partials.`);
    const inner = { ...place, indentation: `${place.indentation}${indentation}`, level: place.level + 1 };
    renderAll(partial(name)?.nodes ?? [], inner);
  };

  const render = (node: TemplateNode, place: Place): void => {
    step();
    if (node.kind === 'text') renderText(node, place.indentation);
    else if (node.kind === 'value') write(valueText(lookUp(node.path, place.scope)));
    else if (node.kind === 'partial') renderPartial(node, place);
    else renderSection(node, place);
  };

  return ({ nodes }) => {
    output = '';
    renderAll(nodes, { scope: { item: variables }, indentation: '', level: 0 });
    return output;
  };
};
