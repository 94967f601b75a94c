/** The parts of a parameter's JSON Schema that the form uses. */
export interface ParameterShape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: ParameterShape;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ParameterShape>>;
  readonly required?: readonly string[];
}

/** The control for a parameter in a form. Anything that matches no other kind is `json`. */
export type ControlKind = 'text' | 'secret' | 'number' | 'flag' | 'choice' | 'lines' | 'json';

/** Returns the control for a parameter. */
export const toControlKind = ({ type, enum: choices, items, format }: ParameterShape): ControlKind => {
  if (choices?.every((each) => typeof each === 'string') === true) return 'choice';
  if (type === 'string') return format === 'secret' ? 'secret' : 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'flag';
  return type === 'array' && items?.type === 'string' && items.enum === undefined ? 'lines' : 'json';
};

/** Converts a value into the text of its field; empty if it is absent. */
const toFieldText = (kind: ControlKind, value: unknown): string => {
  if (value === undefined) return '';
  if (kind === 'lines' && Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The value of a field's text; undefined if the field is empty. */
export type ReadField =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly why: 'invalidJson' | 'invalidNumber' };

/** Parses the text of a field. */
const readField = (kind: ControlKind, text: string): ReadField => {
  if (text.trim() === '') return { kind: 'read', value: undefined };
  switch (kind) {
    case 'number': {
      const value = Number(text);
      return Number.isFinite(value) ? { kind: 'read', value } : { kind: 'failed', why: 'invalidNumber' };
    }
    case 'flag':
      return { kind: 'read', value: text === 'true' };
    case 'lines':
      return {
        kind: 'read',
        value: text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      };
    case 'json':
      try {
        return { kind: 'read', value: JSON.parse(text) };
      } catch {
        return { kind: 'failed', why: 'invalidJson' };
      }
    default:
      return { kind: 'read', value: text };
  }
};

/** A check of a guardrail in the form, with the texts of its parameters' fields. */
export interface CheckDraft {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The parameters that all checks have. They come last. */
const last = ['failOnError', 'timeout'];

/** Lists the parameters of a check's form, required ones first. */
export const parameterNames = ({ properties = {}, required = [] }: ParameterShape): readonly string[] => {
  const names = Object.keys(properties).filter((name) => name !== 'id');
  const rank = (name: string): number => (required.includes(name) ? 0 : last.includes(name) ? 2 : 1);
  return names.sort((one, other) => rank(one) - rank(other));
};

/** Converts a saved check into the texts of its fields. */
export const toCheckDraft = (
  { id, parameters = {} }: { readonly id: string; readonly parameters?: Readonly<Record<string, unknown>> },
  shape: ParameterShape | undefined,
): CheckDraft => ({
  id,
  fields: Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      toFieldText(toControlKind(shape?.properties?.[name] ?? {}), value),
    ]),
  ),
});

/** The parsed checks, or the field that is invalid: its check (zero-based) and its name. */
export type ReadChecks =
  | { readonly kind: 'read'; readonly checks: readonly { readonly id: string; readonly parameters: object }[] }
  | {
      readonly kind: 'failed';
      readonly check: number;
      readonly name: string;
      readonly why: 'invalidJson' | 'invalidNumber';
    };

/** Parses the checks of a form. `findShape` returns the schema of a check's parameters. */
export const readChecks = (
  drafts: readonly CheckDraft[],
  findShape: (id: string) => ParameterShape | undefined,
): ReadChecks => {
  const checks: { id: string; parameters: object }[] = [];
  for (const [check, { id, fields }] of drafts.entries()) {
    const shape = findShape(id);
    const parameters: Record<string, unknown> = {};
    // Texts typed for another check, before its name was changed, no longer have a field.
    const shown = Object.entries(fields).filter(([name]) => Object.hasOwn(shape?.properties ?? fields, name));
    for (const [name, text] of shown) {
      const read = readField(toControlKind(shape?.properties?.[name] ?? {}), text);
      if (read.kind === 'failed') return { kind: 'failed', check, name, why: read.why };
      if (read.value !== undefined) parameters[name] = read.value;
    }
    checks.push({ id, parameters });
  }
  return { kind: 'read', checks };
};
