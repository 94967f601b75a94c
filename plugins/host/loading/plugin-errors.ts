import { errorText } from '../../../schema/text/error-text.ts';
import { guardrailSchema } from '../../sdk/guardrail/guardrail-parameters.ts';
import { compileSchema } from '../../sdk/parameters/compile-schema.ts';
import { memberNames } from '../../sdk/parameters/to-options.ts';
import type { Plugin } from '../../sdk/plugin/plugin.ts';
import type { AnyRouteRow } from '../../sdk/route/route-row.ts';
import { routeForm, routeRowErrors } from '../../sdk/route/route-row-error.ts';
import { entryMembers } from '../../sdk/sink/entry-members.ts';

type Members = { readonly [name: string]: unknown };

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const readKind = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

/** The required members of each kind, with their `typeof`. */
const required = {
  providers: { id: 'string', credential: 'string', speaks: 'object', headers: 'function' },
  dialects: {
    id: 'string',
    operation: 'string',
    classify: 'function',
    encodeError: 'function',
    decodeError: 'function',
  },
  lazyDialects: { id: 'string', operation: 'string', encodeError: 'function', load: 'function' },
  guardrails: { id: 'string', parameters: 'object', create: 'function' },
  caches: { mode: 'string', create: 'function' },
  choosers: { id: 'string', create: 'function' },
  sinks: { id: 'string', options: 'object', create: 'function' },
  lazySinks: { id: 'string', load: 'function' },
} as const;

const schemaError = (schema: unknown, owner: string, compile: typeof compileSchema): readonly string[] => {
  if (!isMembers(schema)) return [];
  try {
    compile(schema);
    return [];
  } catch (error) {
    return [`${owner} is not a valid schema: ${errorText(error)}`];
  }
};

const sinkErrors = ({ options }: Members, place: string): readonly string[] => [
  ...schemaError(options, `${place}.options`, compileSchema),
  ...memberNames(isMembers(options) ? options : {})
    .filter((name) => entryMembers.includes(name))
    .map((name) => `${place}.options has ${name}, which each entry of "log.sinks" has`),
];

const thingErrors = (kind: keyof typeof required, thing: unknown, place: string): readonly string[] => {
  if (!isMembers(thing)) return [`${place} is not an object`];
  const errors = Object.entries(required[kind])
    .filter(([member, type]) => readKind(thing[member]) !== type)
    .map(([member, type]) => `${place}.${member} is not ${type === 'object' ? 'an' : 'a'} ${type}`);
  if (kind === 'guardrails')
    return [...errors, ...schemaError(thing.parameters, `${place}.parameters`, guardrailSchema)];
  if (kind === 'providers')
    return [...errors, ...schemaError(thing.ownSettings, `${place}.ownSettings`, compileSchema)];
  return kind === 'sinks' ? [...errors, ...sinkErrors(thing, place)] : errors;
};

const lazyKinds: { readonly [Kind in keyof typeof required]?: keyof typeof required } = {
  dialects: 'lazyDialects',
  sinks: 'lazySinks',
};

/** A dialect or a sink that says how it is loaded need not be whole. */
const kindOfThing = (kind: keyof typeof required, thing: unknown): keyof typeof required =>
  isMembers(thing) && 'load' in thing ? (lazyKinds[kind] ?? kind) : kind;

const listErrors = (kind: keyof typeof required, list: unknown): readonly string[] => {
  if (list === undefined) return [];
  if (!Array.isArray(list)) return [`${kind} is not an array`];
  return list.flatMap((thing: unknown, at) => thingErrors(kindOfThing(kind, thing), thing, `${kind}[${at}]`));
};

const repeated = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.filter((text, at) => texts.indexOf(text) !== at)),
];

const routeErrors = (routes: unknown): readonly string[] => {
  if (routes === undefined) return [];
  if (!Array.isArray(routes)) return ['routes is not an array'];
  const rows: readonly unknown[] = routes;
  const errors = rows.flatMap((row, at) =>
    isMembers(row)
      ? routeRowErrors(row as unknown as AnyRouteRow).map((error) => `routes[${at}]: ${error}`)
      : [`routes[${at}] is not an object`],
  );
  if (errors.length > 0) return errors;
  const whole = rows as readonly AnyRouteRow[];
  return [
    ...repeated(whole.map(routeForm)).map((form) => `routes has ${form} twice`),
    ...repeated(whole.map(({ operationId }) => operationId)).map((id) => `routes has the operationId ${id} twice`),
  ];
};

/** Why a value is not a plugin; empty if it is one. The `api` is not checked. */
export const pluginErrors = (value: unknown): readonly string[] => {
  if (!isMembers(value)) return ['it is not an object'];
  return [
    ...(typeof value.name === 'string' && value.name !== '' ? [] : ['name is not a non-empty string']),
    ...['apply', 'start'].flatMap((name) =>
      value[name] === undefined || typeof value[name] === 'function' ? [] : [`${name} is not a function`],
    ),
    ...(value.options === undefined || isMembers(value.options) ? [] : ['options is not a schema']),
    ...schemaError(value.options, 'options', compileSchema),
    ...listErrors('providers', value.providers),
    ...listErrors('dialects', value.dialects),
    ...listErrors('guardrails', value.guardrails),
    ...listErrors('caches', value.caches),
    ...listErrors('choosers', value.choosers),
    ...listErrors('sinks', value.sinks),
    ...routeErrors(value.routes),
  ];
};

/** Whether a value is a plugin, of whatever `api`. */
export const isPlugin = (value: unknown): value is Plugin => pluginErrors(value).length === 0;
