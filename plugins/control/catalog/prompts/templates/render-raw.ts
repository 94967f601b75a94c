import { type ParseError, parse } from 'jsonc-parser';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { jsonProblem } from '../../../../../schema/json/json-problem.ts';
import { jsonTextFault } from '../../../../../schema/json/json-text-fault.ts';
import { positionFinder } from './position-finder.ts';
import { type RenderOptions, renderTemplate } from './render-template.ts';
import type { Template } from './template.ts';
import { TemplateError } from './template-error.ts';

/** The place in the engine's own message. */
const enginePlace = / (?:in JSON )?at position \d+(?: \(line \d+ column \d+\))?/;

const lead = 'The rendered text must be JSON';

/** Where a text stops being JSON, as a part of a sentence. */
const faultPlace = (text: string): string => {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const { line, column } = positionFinder(text)(errors[0]?.offset ?? 0);
  return `line ${line}, column ${column}`;
};

/**
 * The JSON value of a template whose text as a whole is rendered first (`is_raw_template: 1`). Throws a `TemplateError`
 * that says where, if what comes out is no JSON.
 */
export const renderRaw = (template: Template, variables: JsonObject, options: RenderOptions): Json => {
  const text = renderTemplate(template, variables, options);
  const fault = jsonTextFault(text);
  if (fault !== undefined) throw new TemplateError(`${lead}, but ${fault}`);
  try {
    return fromJson(text) as Json;
  } catch (error) {
    throw new TemplateError(
      `${lead}, but at ${faultPlace(text)}: ${jsonProblem(text, error).replace(enginePlace, '')}`,
    );
  }
};
