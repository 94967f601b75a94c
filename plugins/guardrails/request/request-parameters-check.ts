import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { type CheckedTarget, defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { offeredTools } from '../../sdk/models/offered-tools.ts';
import { textExcerpt } from '../shared/text-excerpt.ts';
import { type Listed, listedErrors, listedReasons } from './listed.ts';

type Value = string | number | boolean;

interface ToolRules {
  readonly allowedTypes?: readonly string[];
  readonly blockedTypes?: readonly string[];
  readonly allowedFunctionNames?: readonly string[];
  readonly blockedFunctionNames?: readonly string[];
}

interface ValueRules {
  readonly allowedValues?: readonly Value[];
  readonly blockedValues?: readonly Value[];
}

interface ParamRules {
  readonly allowedKeys?: readonly string[];
  readonly blockedKeys?: readonly string[];
  readonly values?: { readonly [key: string]: ValueRules };
}

interface RequestRules {
  readonly tools?: ToolRules;
  readonly params?: ParamRules;
}

/** The maximum number of violations by tools, and by parameters, that a verdict shows. */
const maxShown = 20;

const names = { type: 'array', items: { type: 'string', minLength: 1 } } as const;
const values = {
  type: 'array',
  items: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
} as const;

const toTypes = (rules: ToolRules): Listed<string> => ({ allowed: rules.allowedTypes, blocked: rules.blockedTypes });
const toFunctions = (rules: ToolRules): Listed<string> => ({
  allowed: rules.allowedFunctionNames,
  blocked: rules.blockedFunctionNames,
});
const toKeys = (rules: ParamRules): Listed<string> => ({ allowed: rules.allowedKeys, blocked: rules.blockedKeys });
const toValues = (rules: ValueRules): Listed<Json> => ({ allowed: rules.allowedValues, blocked: rules.blockedValues });

const toolOffences = (body: JsonObject, rules: ToolRules): readonly JsonObject[] =>
  offeredTools(body).flatMap(({ type, name }) => {
    const reasons = [
      ...listedReasons(type, toTypes(rules), 'type'),
      ...listedReasons(name, toFunctions(rules), 'name'),
    ];
    return reasons.length === 0 ? [] : [{ type: textExcerpt(type), name: textExcerpt(name), reasons }];
  });

const shownValue = (value: Json): JsonObject => {
  if (typeof value === 'string') return { value: textExcerpt(value) };
  return isJsonObject(value) || Array.isArray(value) ? {} : { value };
};

const paramOffences = (body: JsonObject, rules: ParamRules): readonly JsonObject[] => {
  const valueRules = rules.values ?? {};
  return Object.entries(body).flatMap(([param, value]) => {
    const ofValue = lookUp(valueRules, param);
    const reasons = [
      ...listedReasons(param, toKeys(rules), 'key'),
      ...(ofValue === undefined ? [] : listedReasons(value, toValues(ofValue), 'value')),
    ];
    return reasons.length === 0 ? [] : [{ param: textExcerpt(param), ...shownValue(value), reasons }];
  });
};

/** Returns the body with the model that is called, because a request may write it with the slug of its provider. */
const calledBody = (body: JsonObject, { model }: CheckedTarget): JsonObject =>
  model === undefined || !Object.hasOwn(body, 'model') ? body : { ...body, model };

const inWords = (tools: readonly JsonObject[], params: readonly JsonObject[]): string => {
  if (tools.length + params.length === 0) return 'The tools and parameters of the request are allowed.';
  const named = [
    ...tools.map(({ name }) => `the tool "${String(name)}"`),
    ...params.map(({ param }) => `the parameter "${String(param)}"`),
  ];
  return `The request has tools or parameters that the rules do not allow: ${named.slice(0, maxShown).join(', ')}.`;
};

/**
 * The offered tools, the parameters and their values must be allowed, and not blocked. Values are compared without conversion.
 * Only top-level members of the body are examined.
 */
export const requestParametersCheck: Guardrail = defineGuardrail({
  id: 'default.requestParametersCheck',
  phases: ['input'],
  parameters: {
    type: 'object',
    properties: {
      tools: {
        type: 'object',
        properties: {
          allowedTypes: { ...names, description: 'The only types of tools that are allowed.' },
          blockedTypes: { ...names, description: 'Types of tools that are not allowed.' },
          allowedFunctionNames: { ...names, description: 'The only functions that are allowed.' },
          blockedFunctionNames: { ...names, description: 'Functions that are not allowed.' },
        },
      },
      params: {
        type: 'object',
        properties: {
          allowedKeys: { ...names, description: 'The only members of the body that are allowed.' },
          blockedKeys: { ...names, description: 'Members of the body that are not allowed.' },
          values: {
            type: 'object',
            description: 'The values that a member may have, by member name.',
            additionalProperties: { type: 'object', properties: { allowedValues: values, blockedValues: values } },
          },
        },
      },
    },
  },
  faults({ tools = {}, params = {} }: RequestRules) {
    return [
      ...listedErrors(toTypes(tools), 'the types of "tools"'),
      ...listedErrors(toFunctions(tools), 'the function names of "tools"'),
      ...listedErrors(toKeys(params), 'the keys of "params"'),
      ...Object.entries(params.values ?? {}).flatMap(([key, rules]) =>
        listedErrors(toValues(rules), `the values of "${key}" in "params"`),
      ),
    ];
  },
  create({ tools = {}, params = {} }: RequestRules) {
    return ({ request, target }) => {
      const badTools = toolOffences(request.json, tools);
      const badParams = paramOffences(calledBody(request.json, target), params);
      return {
        pass: badTools.length + badParams.length === 0,
        data: {
          explanation: inWords(badTools, badParams),
          blockedToolsFound: badTools.slice(0, maxShown),
          blockedParamsFound: badParams.slice(0, maxShown),
        },
      };
    };
  },
});
