import { isTexts } from '../../../schema/json/json.ts';
import { closestName } from '../../../schema/text/closest-name.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import { guardrailSchema } from '../../sdk/guardrail/guardrail-parameters.ts';
import { compileSchema } from '../../sdk/parameters/compile-schema.ts';
import { memberNames } from '../../sdk/parameters/to-options.ts';
import type { Plugin } from '../../sdk/plugin/plugin.ts';
import type { AnyRouteRow } from '../../sdk/route/route-row.ts';
import { routeForm, routeRowErrors } from '../../sdk/route/route-row-error.ts';
import { entryMembers } from '../../sdk/sink/entry-members.ts';
import { type MemberKind, memberErrors } from './member-forms.ts';
import { pluginMembers } from './plugin-members.ts';
import { providerErrors } from './provider-errors.ts';
import { schemaErrors } from './schema-errors.ts';
import { toNames } from './taken-names.ts';

const checkPhases: readonly string[] = ['input', 'output'] satisfies readonly CheckPhase[];

type Members = { readonly [name: string]: unknown };

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const sinkErrors = ({ options }: Members, place: string): readonly string[] => [
  ...schemaErrors(options, `${place}.options`, compileSchema),
  ...memberNames(isMembers(options) ? options : {})
    .filter((name) => entryMembers.includes(name))
    .map((name) => `${place}.options has ${name}, which each entry of "log.sinks" has`),
];

const phaseErrors = ({ phases }: Members, place: string): readonly string[] =>
  isTexts(phases) && !phases.every((phase) => checkPhases.includes(phase))
    ? [`${place}.phases has something other than ${checkPhases.map((phase) => `"${phase}"`).join(' and ')}`]
    : [];

const thingErrors = (kind: MemberKind, thing: unknown, place: string): readonly string[] => {
  if (!isMembers(thing)) return [`${place} is not an object`];
  const errors = memberErrors(kind, thing, place);
  if (kind === 'guardrails')
    return [
      ...errors,
      ...phaseErrors(thing, place),
      ...schemaErrors(thing.parameters, `${place}.parameters`, guardrailSchema),
    ];
  if (kind === 'providers')
    return [
      ...errors,
      ...providerErrors(thing, place),
      ...schemaErrors(thing.ownSettings, `${place}.ownSettings`, compileSchema),
    ];
  return kind === 'sinks' ? [...errors, ...sinkErrors(thing, place)] : errors;
};

const lazyKinds: { readonly [Kind in MemberKind]?: MemberKind } = {
  dialects: 'lazyDialects',
  sinks: 'lazySinks',
};

/** A dialect or a sink that can be loaded later need not be complete. */
const kindOfThing = (kind: MemberKind, thing: unknown): MemberKind =>
  isMembers(thing) && 'load' in thing ? (lazyKinds[kind] ?? kind) : kind;

const listErrors = (kind: MemberKind, list: unknown): readonly string[] => {
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

/**
 * A plugin may have additional members. A name similar to one of the gateway's is an error, because it would silently have no
 * effect.
 */
const misspeltErrors = (value: Members): readonly string[] =>
  Object.keys(value).flatMap((member) => {
    const meant = closestName(member, pluginMembers);
    return meant === undefined || value[meant] !== undefined ? [] : [`"${member}" must be called "${meant}"`];
  });

const shapeErrors = (value: Members): readonly string[] => [
  ...(typeof value.name === 'string' && value.name !== '' ? [] : ['name is not a non-empty string']),
  ...['apply', 'start', 'models'].flatMap((name) =>
    value[name] === undefined || typeof value[name] === 'function' ? [] : [`${name} is not a function`],
  ),
  ...(value.options === undefined || isMembers(value.options) ? [] : ['options is not a schema']),
  ...schemaErrors(value.options, 'options', compileSchema),
  ...listErrors('providers', value.providers),
  ...listErrors('dialects', value.dialects),
  ...listErrors('guardrails', value.guardrails),
  ...listErrors('caches', value.caches),
  ...listErrors('choosers', value.choosers),
  ...listErrors('sinks', value.sinks),
  ...routeErrors(value.routes),
  ...misspeltErrors(value),
];

/** Returns why a value is not a plugin. Empty if it is one. `api` is not checked. */
export const pluginErrors = (value: unknown): readonly string[] => {
  if (!isMembers(value)) return ['it is not an object'];
  const errors = shapeErrors(value);
  if (errors.length > 0) return errors;
  // Its names can only be read if its members have the right forms.
  return repeated(toNames(value as unknown as Plugin)).map((name) => `it provides the ${name} twice`);
};

/** Whether a value is a plugin, whatever its `api`. */
export const isPlugin = (value: unknown): value is Plugin => pluginErrors(value).length === 0;
