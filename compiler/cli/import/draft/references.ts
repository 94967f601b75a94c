import { isJsonObject, type Json } from '../../../../schema/json/json.ts';

const name = String.raw`([A-Za-z_]\w*)`;

/** The forms in which the gateways write a reference to a variable. */
const forms: readonly string[] = [
  String.raw`os\.environ\/${name}`,
  String.raw`env\.${name}`,
  String.raw`\$\{env:${name}\}`,
  String.raw`\$\{?${name}\}?`,
  String.raw`\{\{\s*(?:env\.)?${name}\s*\}\}`,
];

const wholeTexts: readonly RegExp[] = forms.map((form) => new RegExp(`^${form}$`));

const parts = new RegExp(forms.join('|'), 'g');

/** Returns the variable that a text of the source refers to, in the form of one of the gateways; undefined for a literal. */
export const referredVariable = (text: string): string | undefined =>
  wholeTexts.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);

/**
 * Returns the variables that a source names anywhere: in a text or part of one, or as a member, as in LiteLLM's
 * `environment_variables`.
 */
export const namedVariables = (value: Json): readonly string[] => {
  if (typeof value === 'string')
    return [...value.matchAll(parts)].flatMap(([, ...names]) => names.filter((found) => found !== undefined));
  if (Array.isArray(value)) return value.flatMap((item: Json) => namedVariables(item));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([member, item]) => [member, ...namedVariables(item)]);
};
