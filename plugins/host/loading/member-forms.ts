import { isTexts } from '../../../schema/json/json.ts';

/** The form of a member: its `typeof`, or a list of texts. */
type MemberForm = 'string' | 'function' | 'object' | 'texts';

type Forms = { readonly [member: string]: MemberForm };

interface KindForms {
  readonly required: Forms;
  /** Optional members that other code uses without checking them. */
  readonly optional: Forms;
}

/** The kinds of items that plugins provide. A lazy item only declares itself. */
export type MemberKind =
  | 'providers'
  | 'dialects'
  | 'lazyDialects'
  | 'guardrails'
  | 'caches'
  | 'choosers'
  | 'sinks'
  | 'lazySinks';

const memberForms: { readonly [Kind in MemberKind]: KindForms } = {
  providers: {
    required: { id: 'string', credential: 'string', speaks: 'object', headers: 'function' },
    optional: {
      ...{ aliases: 'texts', settings: 'texts', credentialFields: 'texts', models: 'texts', clientHeaders: 'texts' },
      ...{ adaptsOwn: 'texts', signedOrigins: 'texts' },
      ...{ usesMachineIdentity: 'function', dialectsOf: 'function', bodyModel: 'function', settingsModels: 'function' },
      ...{ authorize: 'function', stateScope: 'function', storageOrigin: 'function', passThrough: 'function' },
      ...{ pathBeside: 'function', changesAccount: 'function', adapt: 'function', promptCache: 'function' },
      inProcess: 'function',
    },
  },
  dialects: {
    required: {
      ...{ id: 'string', operation: 'string' },
      ...{ classify: 'function', encodeError: 'function', decodeError: 'function' },
    },
    optional: {},
  },
  lazyDialects: {
    required: { id: 'string', operation: 'string', encodeError: 'function', load: 'function' },
    optional: {},
  },
  guardrails: {
    required: { id: 'string', parameters: 'object', create: 'function' },
    optional: {
      ...{ aliases: 'texts', phases: 'texts', requestValues: 'object' },
      ...{ faults: 'function', parts: 'function', rewrites: 'function', retries: 'function', timeoutMs: 'function' },
      load: 'function',
    },
  },
  caches: { required: { mode: 'string', create: 'function' }, optional: {} },
  choosers: { required: { id: 'string', create: 'function' }, optional: {} },
  sinks: {
    required: { id: 'string', options: 'object', create: 'function' },
    optional: { batch: 'object', faults: 'function', bounds: 'function' },
  },
  lazySinks: { required: { id: 'string', load: 'function' }, optional: {} },
};

const inWords: { readonly [Form in MemberForm]: string } = {
  string: 'a string',
  function: 'a function',
  object: 'an object',
  texts: 'a list of texts',
};

const fits = (value: unknown, form: MemberForm): boolean => {
  if (form === 'texts') return isTexts(value);
  return (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value) === form;
};

/** Returns the members of an item that do not have the form on which the gateway relies. */
export const memberErrors = (
  kind: MemberKind,
  thing: { readonly [member: string]: unknown },
  place: string,
): readonly string[] => {
  const { required, optional } = memberForms[kind];
  const given = Object.entries(optional).filter(([member]) => thing[member] !== undefined);
  return [...Object.entries(required), ...given]
    .filter(([member, form]) => !fits(thing[member], form))
    .map(([member, form]) => `${place}.${member} is not ${inWords[form]}`);
};
