import { errorText } from '../../../schema/text/error-text.ts';
import { guardrailSchema } from '../../sdk/guardrail/guardrail-parameters.ts';
import { compileSchema } from '../../sdk/parameters/compile-schema.ts';
import type { Plugin } from '../../sdk/plugin/plugin.ts';
import type { AnyRouteRow } from '../../sdk/route/route-row.ts';
import { routeForm, routeRowFaults } from '../../sdk/route/route-row-fault.ts';

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
} as const;

const schemaFault = (schema: unknown, owner: string, compile: typeof compileSchema): readonly string[] => {
  if (!isMembers(schema)) return [];
  try {
    compile(schema);
    return [];
  } catch (error) {
    return [`${owner} is not a valid schema: ${errorText(error)}`];
  }
};

const thingFaults = (kind: keyof typeof required, thing: unknown, place: string): readonly string[] => {
  if (!isMembers(thing)) return [`${place} is not an object`];
  const faults = Object.entries(required[kind])
    .filter(([member, type]) => readKind(thing[member]) !== type)
    .map(([member, type]) => `${place}.${member} is not ${type === 'object' ? 'an' : 'a'} ${type}`);
  if (kind === 'guardrails')
    return [...faults, ...schemaFault(thing.parameters, `${place}.parameters`, guardrailSchema)];
  return kind === 'providers'
    ? [...faults, ...schemaFault(thing.ownSettings, `${place}.ownSettings`, compileSchema)]
    : faults;
};

/** A dialect that says how it is loaded need not be whole. */
const kindOfThing = (kind: keyof typeof required, thing: unknown): keyof typeof required =>
  kind === 'dialects' && isMembers(thing) && 'load' in thing ? 'lazyDialects' : kind;

const listFaults = (kind: keyof typeof required, list: unknown): readonly string[] => {
  if (list === undefined) return [];
  if (!Array.isArray(list)) return [`${kind} is not an array`];
  return list.flatMap((thing: unknown, at) => thingFaults(kindOfThing(kind, thing), thing, `${kind}[${at}]`));
};

const repeated = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.filter((text, at) => texts.indexOf(text) !== at)),
];

const routeFaults = (routes: unknown): readonly string[] => {
  if (routes === undefined) return [];
  if (!Array.isArray(routes)) return ['routes is not an array'];
  const rows: readonly unknown[] = routes;
  const faults = rows.flatMap((row, at) =>
    isMembers(row)
      ? routeRowFaults(row as unknown as AnyRouteRow).map((fault) => `routes[${at}]: ${fault}`)
      : [`routes[${at}] is not an object`],
  );
  if (faults.length > 0) return faults;
  const whole = rows as readonly AnyRouteRow[];
  return [
    ...repeated(whole.map(routeForm)).map((form) => `routes has ${form} twice`),
    ...repeated(whole.map(({ operationId }) => operationId)).map((id) => `routes has the operationId ${id} twice`),
  ];
};

/** Why a value is not a plugin; empty if it is one. The `api` is not checked. */
export const pluginFaults = (value: unknown): readonly string[] => {
  if (!isMembers(value)) return ['it is not an object'];
  return [
    ...(typeof value.name === 'string' && value.name !== '' ? [] : ['name is not a non-empty string']),
    ...['apply', 'start'].flatMap((name) =>
      value[name] === undefined || typeof value[name] === 'function' ? [] : [`${name} is not a function`],
    ),
    ...(value.options === undefined || isMembers(value.options) ? [] : ['options is not a schema']),
    ...schemaFault(value.options, 'options', compileSchema),
    ...listFaults('providers', value.providers),
    ...listFaults('dialects', value.dialects),
    ...listFaults('guardrails', value.guardrails),
    ...listFaults('caches', value.caches),
    ...routeFaults(value.routes),
  ];
};

/** Whether a value is a plugin, of whatever `api`. */
export const isPlugin = (value: unknown): value is Plugin => pluginFaults(value).length === 0;
