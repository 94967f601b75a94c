import { parseTemplate } from '../../../../../../plugins/control/catalog/prompts/templates/parse-template.ts';
import { Renderer } from '../../../../../../plugins/control/catalog/prompts/templates/render-template.ts';
import type { Template } from '../../../../../../plugins/control/catalog/prompts/templates/template.ts';
import type { JsonObject } from '../../../../../../schema/json/json.ts';

/** Parses a text as a template. Throws if it has problems. */
export const parsed = (text: string): Template => {
  const { template, problems } = parseTemplate(text);
  if (template === undefined) throw new Error(JSON.stringify(problems));
  return template;
};

/** Renders a text with variables, and with partials by name. */
export const render = (
  text: string,
  variables: JsonObject = {},
  partials: Readonly<Record<string, string>> = {},
): string => {
  const templates = new Map(Object.entries(partials).map(([name, partial]) => [name, parsed(partial)]));
  return new Renderer(variables, { partial: (name) => templates.get(name) }).render(parsed(text));
};
