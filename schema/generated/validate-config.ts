// @ts-nocheck: this is Ajv's standalone code, with types only on what it exports.
// Made from schema/config.schema.json by schema/generate.ts (npm run generate); do not edit.

import { closedPlaceFinder } from '../closed-place-finder.ts';
import { joined } from '../joined.ts';
import type { ShapeError } from '../shape-error.ts';
import { configKeys } from './config-keys.ts';

const schema6 = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    strict_llmv_compliance: { type: 'boolean' },
    provider: { type: 'string' },
    api_key: { type: 'string' },
    virtual_key: { type: 'string' },
    prompt_id: { type: 'string' },
    request_timeout: { type: 'integer', minimum: 0, maximum: 2147483647 },
    weight: { type: 'number' },
    on_status_codes: { type: 'array', items: { type: 'integer' } },
    custom_host: { type: 'string' },
    forward_headers: { type: 'array', items: { type: 'string' } },
    targets: { type: 'array', items: { $ref: '#' } },
    override_params: { type: 'object' },
    strategy: { $ref: '#/definitions/strategy' },
    cache: { $ref: '#/definitions/cache' },
    retry: { $ref: '#/definitions/retry' },
    cb_config: { $ref: '#/definitions/circuit_breaker' },
    before_request_hooks: { type: 'array', items: { $ref: '#/definitions/before_request_hook' } },
    after_request_hooks: { type: 'array', items: { $ref: '#/definitions/after_request_hook' } },
    input_guardrails: { type: 'array', items: { $ref: '#/definitions/input_guardrail' } },
    output_guardrails: { type: 'array', items: { $ref: '#/definitions/output_guardrail' } },
    resource_name: { type: 'string' },
    deployment_id: { type: 'string' },
    api_version: { type: 'string' },
    deployments: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['deployment_id', 'alias', 'api_version'],
        properties: {
          deployment_id: { type: 'string' },
          alias: { type: 'string' },
          api_version: { type: 'string' },
          is_default: { type: 'boolean' },
        },
      },
    },
    llmv_organization: { type: 'string' },
    llmv_project: { type: 'string' },
    cloudc_access_key_id: { type: 'string' },
    cloudc_secret_access_key: { type: 'string' },
    cloudc_region: { type: 'string' },
    cloudc_session_token: { type: 'string' },
    cloudb_project_id: { type: 'string' },
    cloudb_region: { type: 'string' },
    cloudb_service_account_json: { type: 'object' },
    clouda_region: { type: 'string' },
    clouda_deployment_name: { type: 'string' },
    clouda_deployment_type: { type: 'string', enum: ['serverless', 'managed'] },
    clouda_endpoint_name: { type: 'string' },
    clouda_api_version: { type: 'string' },
    clouda_resource_name: { type: 'string' },
    clouda_deployment_id: { type: 'string' },
    clouda_model_name: { type: 'string' },
    Authorization: { type: 'string' },
  },
  anyOf: [
    { required: ['provider'] },
    { required: ['virtual_key'] },
    { required: ['strategy', 'targets'] },
    { required: ['cache'] },
    { required: ['retry'] },
    { required: ['prompt_id'] },
    { required: ['forward_headers'] },
    { required: ['request_timeout'] },
    { required: ['after_request_hooks'] },
    { required: ['before_request_hooks'] },
    { required: ['input_guardrails'] },
    { required: ['output_guardrails'] },
    {
      required: ['override_params'],
      properties: {
        override_params: { required: ['model'], properties: { model: { type: 'string', pattern: '^@[^/]+/.' } } },
      },
    },
  ],
  definitions: {
    strategy: {
      type: 'object',
      additionalProperties: false,
      required: ['mode'],
      properties: {
        mode: { type: 'string', enum: ['single', 'loadbalance', 'fallback', 'conditional'] },
        conditions: { type: 'array', items: { $ref: '#/definitions/condition' } },
        default: { type: 'string' },
        on_status_codes: { type: 'array', items: { type: 'integer' } },
      },
      if: { properties: { mode: { const: 'conditional' } }, required: ['mode'] },
      then: { required: ['conditions', 'default'] },
    },
    condition: {
      type: 'object',
      additionalProperties: false,
      required: ['query', 'then'],
      properties: { query: { type: 'object' }, then: { type: 'string' } },
    },
    cache: {
      type: 'object',
      additionalProperties: false,
      required: ['mode'],
      properties: { mode: { type: 'string', enum: ['simple', 'semantic'] }, max_age: { type: 'integer', minimum: 0 } },
    },
    retry: {
      type: 'object',
      additionalProperties: false,
      required: ['attempts'],
      properties: {
        attempts: { type: 'integer', minimum: 0, maximum: 5 },
        on_status_codes: { type: 'array', items: { type: 'number' } },
        use_retry_after_headers: { type: 'boolean' },
      },
    },
    circuit_breaker: {
      type: 'object',
      additionalProperties: false,
      required: ['failure_threshold', 'cooldown_interval'],
      properties: {
        failure_threshold: { type: 'number', minimum: 1 },
        cooldown_interval: { type: 'number', minimum: 30000, maximum: 2147483647 },
        failure_status_codes: { type: 'array', items: { type: 'integer' } },
      },
    },
    before_request_hook: {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: {
        id: { type: 'string' },
        type: { type: 'string', enum: ['guardrail', 'mutator'] },
        on_fail: {
          type: 'object',
          additionalProperties: false,
          properties: { feedback: { $ref: '#/definitions/feedback' }, deny: { type: 'boolean' } },
        },
        on_success: {
          type: 'object',
          additionalProperties: false,
          properties: { feedback: { $ref: '#/definitions/feedback' }, deny: { type: 'boolean' } },
        },
        checks: { type: 'array', items: { $ref: '#/definitions/check' } },
      },
    },
    after_request_hook: {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: {
        id: { type: 'string' },
        type: { type: 'string', enum: ['guardrail', 'mutator'] },
        async: { type: 'boolean' },
        on_fail: {
          type: 'object',
          additionalProperties: false,
          properties: { feedback: { $ref: '#/definitions/feedback' } },
        },
        on_success: {
          type: 'object',
          additionalProperties: false,
          properties: { feedback: { $ref: '#/definitions/feedback' } },
        },
        checks: { type: 'array', items: { $ref: '#/definitions/check' } },
      },
    },
    check: {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'parameters'],
      properties: { id: { type: 'string' }, parameters: { type: 'object' } },
    },
    feedback: {
      type: 'object',
      additionalProperties: false,
      properties: { value: { type: 'number' }, weight: { type: 'number' }, metadata: { type: 'object' } },
    },
    input_guardrail: {
      type: ['string', 'object'],
      properties: {
        id: { type: 'string' },
        deny: { type: 'boolean' },
        async: { type: 'boolean' },
        on_fail: {
          type: 'object',
          additionalProperties: false,
          properties: { feedback: { $ref: '#/definitions/feedback' } },
        },
        on_success: {
          type: 'object',
          additionalProperties: false,
          properties: { feedback: { $ref: '#/definitions/feedback' } },
        },
      },
      additionalProperties: { type: 'object' },
    },
    output_guardrail: {
      type: ['string', 'object'],
      properties: {
        id: { type: 'string' },
        deny: { type: 'boolean' },
        async: { type: 'boolean' },
        on_fail: {
          type: 'object',
          additionalProperties: false,
          properties: { feedback: { $ref: '#/definitions/feedback' }, deny: { type: 'boolean' } },
        },
        on_success: {
          type: 'object',
          additionalProperties: false,
          properties: { feedback: { $ref: '#/definitions/feedback' }, deny: { type: 'boolean' } },
        },
      },
      additionalProperties: { type: 'object' },
    },
  },
};
const pattern0 = new RegExp('^@[^/]+/.', 'u');
const func2 = Object.prototype.hasOwnProperty;
const wrapper0 = { validate: validate21 };
const schema7 = {
  type: 'object',
  additionalProperties: false,
  required: ['mode'],
  properties: {
    mode: { type: 'string', enum: ['single', 'loadbalance', 'fallback', 'conditional'] },
    conditions: { type: 'array', items: { $ref: '#/definitions/condition' } },
    default: { type: 'string' },
    on_status_codes: { type: 'array', items: { type: 'integer' } },
  },
  if: { properties: { mode: { const: 'conditional' } }, required: ['mode'] },
  then: { required: ['conditions', 'default'] },
};
const schema8 = {
  type: 'object',
  additionalProperties: false,
  required: ['query', 'then'],
  properties: { query: { type: 'object' }, then: { type: 'string' } },
};
function validate23(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.query === undefined) {
      const err0 = {
        instancePath,
        schemaPath: '#/required',
        keyword: 'required',
        params: { missingProperty: 'query' },
      };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.then === undefined) {
      const err1 = { instancePath, schemaPath: '#/required', keyword: 'required', params: { missingProperty: 'then' } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === 'query' || key0 === 'then')) {
        const err2 = {
          instancePath,
          schemaPath: '#/additionalProperties',
          keyword: 'additionalProperties',
          params: { additionalProperty: key0 },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.query !== undefined) {
      let data0 = data.query;
      if (!(data0 && typeof data0 == 'object' && !Array.isArray(data0))) {
        const err3 = {
          instancePath: instancePath + '/query',
          schemaPath: '#/properties/query/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.then !== undefined) {
      if (typeof data.then !== 'string') {
        const err4 = {
          instancePath: instancePath + '/then',
          schemaPath: '#/properties/then/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
  } else {
    const err5 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err5];
    } else {
      vErrors.push(err5);
    }
    errors++;
  }
  validate23.errors = vErrors;
  return errors === 0;
}
function validate22(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  const _errs1 = errors;
  let valid0 = true;
  const _errs2 = errors;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    let missing0;
    if (data.mode === undefined && (missing0 = 'mode')) {
      const err0 = {};
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    } else {
      if (data.mode !== undefined) {
        if ('conditional' !== data.mode) {
          const err1 = {};
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      }
    }
  }
  var _valid0 = _errs2 === errors;
  errors = _errs1;
  if (vErrors !== null) {
    if (_errs1) {
      vErrors.length = _errs1;
    } else {
      vErrors = null;
    }
  }
  if (_valid0) {
    const _errs4 = errors;
    if (data && typeof data == 'object' && !Array.isArray(data)) {
      if (data.conditions === undefined) {
        const err2 = {
          instancePath,
          schemaPath: '#/then/required',
          keyword: 'required',
          params: { missingProperty: 'conditions' },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
      if (data.default === undefined) {
        const err3 = {
          instancePath,
          schemaPath: '#/then/required',
          keyword: 'required',
          params: { missingProperty: 'default' },
        };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    var _valid0 = _errs4 === errors;
    valid0 = _valid0;
  }
  if (!valid0) {
    const err4 = { instancePath, schemaPath: '#/if', keyword: 'if', params: { failingKeyword: 'then' } };
    if (vErrors === null) {
      vErrors = [err4];
    } else {
      vErrors.push(err4);
    }
    errors++;
  }
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.mode === undefined) {
      const err5 = { instancePath, schemaPath: '#/required', keyword: 'required', params: { missingProperty: 'mode' } };
      if (vErrors === null) {
        vErrors = [err5];
      } else {
        vErrors.push(err5);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === 'mode' || key0 === 'conditions' || key0 === 'default' || key0 === 'on_status_codes')) {
        const err6 = {
          instancePath,
          schemaPath: '#/additionalProperties',
          keyword: 'additionalProperties',
          params: { additionalProperty: key0 },
        };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.mode !== undefined) {
      let data1 = data.mode;
      if (typeof data1 !== 'string') {
        const err7 = {
          instancePath: instancePath + '/mode',
          schemaPath: '#/properties/mode/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
      if (!(data1 === 'single' || data1 === 'loadbalance' || data1 === 'fallback' || data1 === 'conditional')) {
        const err8 = {
          instancePath: instancePath + '/mode',
          schemaPath: '#/properties/mode/enum',
          keyword: 'enum',
          params: { allowedValues: schema7.properties.mode.enum },
        };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.conditions !== undefined) {
      let data2 = data.conditions;
      if (Array.isArray(data2)) {
        const len0 = data2.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (
            !validate23(data2[i0], {
              instancePath: instancePath + '/conditions/' + i0,
              parentData: data2,
              parentDataProperty: i0,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate23.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err9 = {
          instancePath: instancePath + '/conditions',
          schemaPath: '#/properties/conditions/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.default !== undefined) {
      if (typeof data.default !== 'string') {
        const err10 = {
          instancePath: instancePath + '/default',
          schemaPath: '#/properties/default/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.on_status_codes !== undefined) {
      let data5 = data.on_status_codes;
      if (Array.isArray(data5)) {
        const len1 = data5.length;
        for (let i1 = 0; i1 < len1; i1++) {
          let data6 = data5[i1];
          if (!(typeof data6 == 'number' && !(data6 % 1) && !isNaN(data6))) {
            const err11 = {
              instancePath: instancePath + '/on_status_codes/' + i1,
              schemaPath: '#/properties/on_status_codes/items/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
      } else {
        const err12 = {
          instancePath: instancePath + '/on_status_codes',
          schemaPath: '#/properties/on_status_codes/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
  } else {
    const err13 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err13];
    } else {
      vErrors.push(err13);
    }
    errors++;
  }
  validate22.errors = vErrors;
  return errors === 0;
}
const schema9 = {
  type: 'object',
  additionalProperties: false,
  required: ['mode'],
  properties: { mode: { type: 'string', enum: ['simple', 'semantic'] }, max_age: { type: 'integer', minimum: 0 } },
};
function validate26(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.mode === undefined) {
      const err0 = { instancePath, schemaPath: '#/required', keyword: 'required', params: { missingProperty: 'mode' } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === 'mode' || key0 === 'max_age')) {
        const err1 = {
          instancePath,
          schemaPath: '#/additionalProperties',
          keyword: 'additionalProperties',
          params: { additionalProperty: key0 },
        };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.mode !== undefined) {
      let data0 = data.mode;
      if (typeof data0 !== 'string') {
        const err2 = {
          instancePath: instancePath + '/mode',
          schemaPath: '#/properties/mode/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
      if (!(data0 === 'simple' || data0 === 'semantic')) {
        const err3 = {
          instancePath: instancePath + '/mode',
          schemaPath: '#/properties/mode/enum',
          keyword: 'enum',
          params: { allowedValues: schema9.properties.mode.enum },
        };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.max_age !== undefined) {
      let data1 = data.max_age;
      if (!(typeof data1 == 'number' && !(data1 % 1) && !isNaN(data1))) {
        const err4 = {
          instancePath: instancePath + '/max_age',
          schemaPath: '#/properties/max_age/type',
          keyword: 'type',
          params: { type: 'integer' },
        };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
      if (typeof data1 == 'number') {
        if (data1 < 0 || isNaN(data1)) {
          const err5 = {
            instancePath: instancePath + '/max_age',
            schemaPath: '#/properties/max_age/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
      }
    }
  } else {
    const err6 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err6];
    } else {
      vErrors.push(err6);
    }
    errors++;
  }
  validate26.errors = vErrors;
  return errors === 0;
}
const schema10 = {
  type: 'object',
  additionalProperties: false,
  required: ['attempts'],
  properties: {
    attempts: { type: 'integer', minimum: 0, maximum: 5 },
    on_status_codes: { type: 'array', items: { type: 'number' } },
    use_retry_after_headers: { type: 'boolean' },
  },
};
function validate28(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.attempts === undefined) {
      const err0 = {
        instancePath,
        schemaPath: '#/required',
        keyword: 'required',
        params: { missingProperty: 'attempts' },
      };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === 'attempts' || key0 === 'on_status_codes' || key0 === 'use_retry_after_headers')) {
        const err1 = {
          instancePath,
          schemaPath: '#/additionalProperties',
          keyword: 'additionalProperties',
          params: { additionalProperty: key0 },
        };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.attempts !== undefined) {
      let data0 = data.attempts;
      if (!(typeof data0 == 'number' && !(data0 % 1) && !isNaN(data0))) {
        const err2 = {
          instancePath: instancePath + '/attempts',
          schemaPath: '#/properties/attempts/type',
          keyword: 'type',
          params: { type: 'integer' },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
      if (typeof data0 == 'number') {
        if (data0 > 5 || isNaN(data0)) {
          const err3 = {
            instancePath: instancePath + '/attempts',
            schemaPath: '#/properties/attempts/maximum',
            keyword: 'maximum',
            params: { comparison: '<=', limit: 5 },
          };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
        if (data0 < 0 || isNaN(data0)) {
          const err4 = {
            instancePath: instancePath + '/attempts',
            schemaPath: '#/properties/attempts/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
      }
    }
    if (data.on_status_codes !== undefined) {
      let data1 = data.on_status_codes;
      if (Array.isArray(data1)) {
        const len0 = data1.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (!(typeof data1[i0] == 'number')) {
            const err5 = {
              instancePath: instancePath + '/on_status_codes/' + i0,
              schemaPath: '#/properties/on_status_codes/items/type',
              keyword: 'type',
              params: { type: 'number' },
            };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = {
          instancePath: instancePath + '/on_status_codes',
          schemaPath: '#/properties/on_status_codes/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.use_retry_after_headers !== undefined) {
      if (typeof data.use_retry_after_headers !== 'boolean') {
        const err7 = {
          instancePath: instancePath + '/use_retry_after_headers',
          schemaPath: '#/properties/use_retry_after_headers/type',
          keyword: 'type',
          params: { type: 'boolean' },
        };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
  } else {
    const err8 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err8];
    } else {
      vErrors.push(err8);
    }
    errors++;
  }
  validate28.errors = vErrors;
  return errors === 0;
}
const schema11 = {
  type: 'object',
  additionalProperties: false,
  required: ['failure_threshold', 'cooldown_interval'],
  properties: {
    failure_threshold: { type: 'number', minimum: 1 },
    cooldown_interval: { type: 'number', minimum: 30000, maximum: 2147483647 },
    failure_status_codes: { type: 'array', items: { type: 'integer' } },
  },
};
function validate30(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.failure_threshold === undefined) {
      const err0 = {
        instancePath,
        schemaPath: '#/required',
        keyword: 'required',
        params: { missingProperty: 'failure_threshold' },
      };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.cooldown_interval === undefined) {
      const err1 = {
        instancePath,
        schemaPath: '#/required',
        keyword: 'required',
        params: { missingProperty: 'cooldown_interval' },
      };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === 'failure_threshold' || key0 === 'cooldown_interval' || key0 === 'failure_status_codes')) {
        const err2 = {
          instancePath,
          schemaPath: '#/additionalProperties',
          keyword: 'additionalProperties',
          params: { additionalProperty: key0 },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.failure_threshold !== undefined) {
      let data0 = data.failure_threshold;
      if (typeof data0 == 'number') {
        if (data0 < 1 || isNaN(data0)) {
          const err3 = {
            instancePath: instancePath + '/failure_threshold',
            schemaPath: '#/properties/failure_threshold/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 1 },
          };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
      } else {
        const err4 = {
          instancePath: instancePath + '/failure_threshold',
          schemaPath: '#/properties/failure_threshold/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.cooldown_interval !== undefined) {
      let data1 = data.cooldown_interval;
      if (typeof data1 == 'number') {
        if (data1 > 2147483647 || isNaN(data1)) {
          const err5 = {
            instancePath: instancePath + '/cooldown_interval',
            schemaPath: '#/properties/cooldown_interval/maximum',
            keyword: 'maximum',
            params: { comparison: '<=', limit: 2147483647 },
          };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (data1 < 30000 || isNaN(data1)) {
          const err6 = {
            instancePath: instancePath + '/cooldown_interval',
            schemaPath: '#/properties/cooldown_interval/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 30000 },
          };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
      } else {
        const err7 = {
          instancePath: instancePath + '/cooldown_interval',
          schemaPath: '#/properties/cooldown_interval/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.failure_status_codes !== undefined) {
      let data2 = data.failure_status_codes;
      if (Array.isArray(data2)) {
        const len0 = data2.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data3 = data2[i0];
          if (!(typeof data3 == 'number' && !(data3 % 1) && !isNaN(data3))) {
            const err8 = {
              instancePath: instancePath + '/failure_status_codes/' + i0,
              schemaPath: '#/properties/failure_status_codes/items/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
      } else {
        const err9 = {
          instancePath: instancePath + '/failure_status_codes',
          schemaPath: '#/properties/failure_status_codes/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
  } else {
    const err10 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err10];
    } else {
      vErrors.push(err10);
    }
    errors++;
  }
  validate30.errors = vErrors;
  return errors === 0;
}
const schema12 = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: { type: 'string' },
    type: { type: 'string', enum: ['guardrail', 'mutator'] },
    on_fail: {
      type: 'object',
      additionalProperties: false,
      properties: { feedback: { $ref: '#/definitions/feedback' }, deny: { type: 'boolean' } },
    },
    on_success: {
      type: 'object',
      additionalProperties: false,
      properties: { feedback: { $ref: '#/definitions/feedback' }, deny: { type: 'boolean' } },
    },
    checks: { type: 'array', items: { $ref: '#/definitions/check' } },
  },
};
const schema13 = {
  type: 'object',
  additionalProperties: false,
  properties: { value: { type: 'number' }, weight: { type: 'number' }, metadata: { type: 'object' } },
};
function validate33(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    for (const key0 in data) {
      if (!(key0 === 'value' || key0 === 'weight' || key0 === 'metadata')) {
        const err0 = {
          instancePath,
          schemaPath: '#/additionalProperties',
          keyword: 'additionalProperties',
          params: { additionalProperty: key0 },
        };
        if (vErrors === null) {
          vErrors = [err0];
        } else {
          vErrors.push(err0);
        }
        errors++;
      }
    }
    if (data.value !== undefined) {
      if (!(typeof data.value == 'number')) {
        const err1 = {
          instancePath: instancePath + '/value',
          schemaPath: '#/properties/value/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.weight !== undefined) {
      if (!(typeof data.weight == 'number')) {
        const err2 = {
          instancePath: instancePath + '/weight',
          schemaPath: '#/properties/weight/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.metadata !== undefined) {
      let data2 = data.metadata;
      if (!(data2 && typeof data2 == 'object' && !Array.isArray(data2))) {
        const err3 = {
          instancePath: instancePath + '/metadata',
          schemaPath: '#/properties/metadata/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
  } else {
    const err4 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err4];
    } else {
      vErrors.push(err4);
    }
    errors++;
  }
  validate33.errors = vErrors;
  return errors === 0;
}
const schema14 = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'parameters'],
  properties: { id: { type: 'string' }, parameters: { type: 'object' } },
};
function validate36(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.id === undefined) {
      const err0 = { instancePath, schemaPath: '#/required', keyword: 'required', params: { missingProperty: 'id' } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.parameters === undefined) {
      const err1 = {
        instancePath,
        schemaPath: '#/required',
        keyword: 'required',
        params: { missingProperty: 'parameters' },
      };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === 'id' || key0 === 'parameters')) {
        const err2 = {
          instancePath,
          schemaPath: '#/additionalProperties',
          keyword: 'additionalProperties',
          params: { additionalProperty: key0 },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        const err3 = {
          instancePath: instancePath + '/id',
          schemaPath: '#/properties/id/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.parameters !== undefined) {
      let data1 = data.parameters;
      if (!(data1 && typeof data1 == 'object' && !Array.isArray(data1))) {
        const err4 = {
          instancePath: instancePath + '/parameters',
          schemaPath: '#/properties/parameters/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
  } else {
    const err5 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err5];
    } else {
      vErrors.push(err5);
    }
    errors++;
  }
  validate36.errors = vErrors;
  return errors === 0;
}
function validate32(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.id === undefined) {
      const err0 = { instancePath, schemaPath: '#/required', keyword: 'required', params: { missingProperty: 'id' } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === 'id' || key0 === 'type' || key0 === 'on_fail' || key0 === 'on_success' || key0 === 'checks')) {
        const err1 = {
          instancePath,
          schemaPath: '#/additionalProperties',
          keyword: 'additionalProperties',
          params: { additionalProperty: key0 },
        };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        const err2 = {
          instancePath: instancePath + '/id',
          schemaPath: '#/properties/id/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.type !== undefined) {
      let data1 = data.type;
      if (typeof data1 !== 'string') {
        const err3 = {
          instancePath: instancePath + '/type',
          schemaPath: '#/properties/type/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data1 === 'guardrail' || data1 === 'mutator')) {
        const err4 = {
          instancePath: instancePath + '/type',
          schemaPath: '#/properties/type/enum',
          keyword: 'enum',
          params: { allowedValues: schema12.properties.type.enum },
        };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.on_fail !== undefined) {
      let data2 = data.on_fail;
      if (data2 && typeof data2 == 'object' && !Array.isArray(data2)) {
        for (const key1 in data2) {
          if (!(key1 === 'feedback' || key1 === 'deny')) {
            const err5 = {
              instancePath: instancePath + '/on_fail',
              schemaPath: '#/properties/on_fail/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key1 },
            };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
        if (data2.feedback !== undefined) {
          if (
            !validate33(data2.feedback, {
              instancePath: instancePath + '/on_fail/feedback',
              parentData: data2,
              parentDataProperty: 'feedback',
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate33.errors);
            errors = vErrors.length;
          }
        }
        if (data2.deny !== undefined) {
          if (typeof data2.deny !== 'boolean') {
            const err6 = {
              instancePath: instancePath + '/on_fail/deny',
              schemaPath: '#/properties/on_fail/properties/deny/type',
              keyword: 'type',
              params: { type: 'boolean' },
            };
            if (vErrors === null) {
              vErrors = [err6];
            } else {
              vErrors.push(err6);
            }
            errors++;
          }
        }
      } else {
        const err7 = {
          instancePath: instancePath + '/on_fail',
          schemaPath: '#/properties/on_fail/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.on_success !== undefined) {
      let data5 = data.on_success;
      if (data5 && typeof data5 == 'object' && !Array.isArray(data5)) {
        for (const key2 in data5) {
          if (!(key2 === 'feedback' || key2 === 'deny')) {
            const err8 = {
              instancePath: instancePath + '/on_success',
              schemaPath: '#/properties/on_success/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key2 },
            };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data5.feedback !== undefined) {
          if (
            !validate33(data5.feedback, {
              instancePath: instancePath + '/on_success/feedback',
              parentData: data5,
              parentDataProperty: 'feedback',
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate33.errors);
            errors = vErrors.length;
          }
        }
        if (data5.deny !== undefined) {
          if (typeof data5.deny !== 'boolean') {
            const err9 = {
              instancePath: instancePath + '/on_success/deny',
              schemaPath: '#/properties/on_success/properties/deny/type',
              keyword: 'type',
              params: { type: 'boolean' },
            };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
      } else {
        const err10 = {
          instancePath: instancePath + '/on_success',
          schemaPath: '#/properties/on_success/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.checks !== undefined) {
      let data8 = data.checks;
      if (Array.isArray(data8)) {
        const len0 = data8.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (
            !validate36(data8[i0], {
              instancePath: instancePath + '/checks/' + i0,
              parentData: data8,
              parentDataProperty: i0,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate36.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err11 = {
          instancePath: instancePath + '/checks',
          schemaPath: '#/properties/checks/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
  } else {
    const err12 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err12];
    } else {
      vErrors.push(err12);
    }
    errors++;
  }
  validate32.errors = vErrors;
  return errors === 0;
}
const schema15 = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: { type: 'string' },
    type: { type: 'string', enum: ['guardrail', 'mutator'] },
    async: { type: 'boolean' },
    on_fail: {
      type: 'object',
      additionalProperties: false,
      properties: { feedback: { $ref: '#/definitions/feedback' } },
    },
    on_success: {
      type: 'object',
      additionalProperties: false,
      properties: { feedback: { $ref: '#/definitions/feedback' } },
    },
    checks: { type: 'array', items: { $ref: '#/definitions/check' } },
  },
};
function validate39(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.id === undefined) {
      const err0 = { instancePath, schemaPath: '#/required', keyword: 'required', params: { missingProperty: 'id' } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    for (const key0 in data) {
      if (
        !(
          key0 === 'id' ||
          key0 === 'type' ||
          key0 === 'async' ||
          key0 === 'on_fail' ||
          key0 === 'on_success' ||
          key0 === 'checks'
        )
      ) {
        const err1 = {
          instancePath,
          schemaPath: '#/additionalProperties',
          keyword: 'additionalProperties',
          params: { additionalProperty: key0 },
        };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        const err2 = {
          instancePath: instancePath + '/id',
          schemaPath: '#/properties/id/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.type !== undefined) {
      let data1 = data.type;
      if (typeof data1 !== 'string') {
        const err3 = {
          instancePath: instancePath + '/type',
          schemaPath: '#/properties/type/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data1 === 'guardrail' || data1 === 'mutator')) {
        const err4 = {
          instancePath: instancePath + '/type',
          schemaPath: '#/properties/type/enum',
          keyword: 'enum',
          params: { allowedValues: schema15.properties.type.enum },
        };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.async !== undefined) {
      if (typeof data.async !== 'boolean') {
        const err5 = {
          instancePath: instancePath + '/async',
          schemaPath: '#/properties/async/type',
          keyword: 'type',
          params: { type: 'boolean' },
        };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.on_fail !== undefined) {
      let data3 = data.on_fail;
      if (data3 && typeof data3 == 'object' && !Array.isArray(data3)) {
        for (const key1 in data3) {
          if (!(key1 === 'feedback')) {
            const err6 = {
              instancePath: instancePath + '/on_fail',
              schemaPath: '#/properties/on_fail/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key1 },
            };
            if (vErrors === null) {
              vErrors = [err6];
            } else {
              vErrors.push(err6);
            }
            errors++;
          }
        }
        if (data3.feedback !== undefined) {
          if (
            !validate33(data3.feedback, {
              instancePath: instancePath + '/on_fail/feedback',
              parentData: data3,
              parentDataProperty: 'feedback',
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate33.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err7 = {
          instancePath: instancePath + '/on_fail',
          schemaPath: '#/properties/on_fail/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.on_success !== undefined) {
      let data5 = data.on_success;
      if (data5 && typeof data5 == 'object' && !Array.isArray(data5)) {
        for (const key2 in data5) {
          if (!(key2 === 'feedback')) {
            const err8 = {
              instancePath: instancePath + '/on_success',
              schemaPath: '#/properties/on_success/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key2 },
            };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data5.feedback !== undefined) {
          if (
            !validate33(data5.feedback, {
              instancePath: instancePath + '/on_success/feedback',
              parentData: data5,
              parentDataProperty: 'feedback',
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate33.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err9 = {
          instancePath: instancePath + '/on_success',
          schemaPath: '#/properties/on_success/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.checks !== undefined) {
      let data7 = data.checks;
      if (Array.isArray(data7)) {
        const len0 = data7.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (
            !validate36(data7[i0], {
              instancePath: instancePath + '/checks/' + i0,
              parentData: data7,
              parentDataProperty: i0,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate36.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err10 = {
          instancePath: instancePath + '/checks',
          schemaPath: '#/properties/checks/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
  } else {
    const err11 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err11];
    } else {
      vErrors.push(err11);
    }
    errors++;
  }
  validate39.errors = vErrors;
  return errors === 0;
}
const schema16 = {
  type: ['string', 'object'],
  properties: {
    id: { type: 'string' },
    deny: { type: 'boolean' },
    async: { type: 'boolean' },
    on_fail: {
      type: 'object',
      additionalProperties: false,
      properties: { feedback: { $ref: '#/definitions/feedback' } },
    },
    on_success: {
      type: 'object',
      additionalProperties: false,
      properties: { feedback: { $ref: '#/definitions/feedback' } },
    },
  },
  additionalProperties: { type: 'object' },
};
function validate44(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (typeof data !== 'string' && !(data && typeof data == 'object' && !Array.isArray(data))) {
    const err0 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: schema16.type } };
    if (vErrors === null) {
      vErrors = [err0];
    } else {
      vErrors.push(err0);
    }
    errors++;
  }
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    for (const key0 in data) {
      if (!(key0 === 'id' || key0 === 'deny' || key0 === 'async' || key0 === 'on_fail' || key0 === 'on_success')) {
        let data0 = data[key0];
        if (!(data0 && typeof data0 == 'object' && !Array.isArray(data0))) {
          const err1 = {
            instancePath: instancePath + '/' + key0.replace(/~/g, '~0').replace(/\//g, '~1'),
            schemaPath: '#/additionalProperties/type',
            keyword: 'type',
            params: { type: 'object' },
          };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      }
    }
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        const err2 = {
          instancePath: instancePath + '/id',
          schemaPath: '#/properties/id/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.deny !== undefined) {
      if (typeof data.deny !== 'boolean') {
        const err3 = {
          instancePath: instancePath + '/deny',
          schemaPath: '#/properties/deny/type',
          keyword: 'type',
          params: { type: 'boolean' },
        };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.async !== undefined) {
      if (typeof data.async !== 'boolean') {
        const err4 = {
          instancePath: instancePath + '/async',
          schemaPath: '#/properties/async/type',
          keyword: 'type',
          params: { type: 'boolean' },
        };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.on_fail !== undefined) {
      let data4 = data.on_fail;
      if (data4 && typeof data4 == 'object' && !Array.isArray(data4)) {
        for (const key1 in data4) {
          if (!(key1 === 'feedback')) {
            const err5 = {
              instancePath: instancePath + '/on_fail',
              schemaPath: '#/properties/on_fail/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key1 },
            };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
        if (data4.feedback !== undefined) {
          if (
            !validate33(data4.feedback, {
              instancePath: instancePath + '/on_fail/feedback',
              parentData: data4,
              parentDataProperty: 'feedback',
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate33.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err6 = {
          instancePath: instancePath + '/on_fail',
          schemaPath: '#/properties/on_fail/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.on_success !== undefined) {
      let data6 = data.on_success;
      if (data6 && typeof data6 == 'object' && !Array.isArray(data6)) {
        for (const key2 in data6) {
          if (!(key2 === 'feedback')) {
            const err7 = {
              instancePath: instancePath + '/on_success',
              schemaPath: '#/properties/on_success/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key2 },
            };
            if (vErrors === null) {
              vErrors = [err7];
            } else {
              vErrors.push(err7);
            }
            errors++;
          }
        }
        if (data6.feedback !== undefined) {
          if (
            !validate33(data6.feedback, {
              instancePath: instancePath + '/on_success/feedback',
              parentData: data6,
              parentDataProperty: 'feedback',
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate33.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err8 = {
          instancePath: instancePath + '/on_success',
          schemaPath: '#/properties/on_success/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
  }
  validate44.errors = vErrors;
  return errors === 0;
}
const schema17 = {
  type: ['string', 'object'],
  properties: {
    id: { type: 'string' },
    deny: { type: 'boolean' },
    async: { type: 'boolean' },
    on_fail: {
      type: 'object',
      additionalProperties: false,
      properties: { feedback: { $ref: '#/definitions/feedback' }, deny: { type: 'boolean' } },
    },
    on_success: {
      type: 'object',
      additionalProperties: false,
      properties: { feedback: { $ref: '#/definitions/feedback' }, deny: { type: 'boolean' } },
    },
  },
  additionalProperties: { type: 'object' },
};
function validate48(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (typeof data !== 'string' && !(data && typeof data == 'object' && !Array.isArray(data))) {
    const err0 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: schema17.type } };
    if (vErrors === null) {
      vErrors = [err0];
    } else {
      vErrors.push(err0);
    }
    errors++;
  }
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    for (const key0 in data) {
      if (!(key0 === 'id' || key0 === 'deny' || key0 === 'async' || key0 === 'on_fail' || key0 === 'on_success')) {
        let data0 = data[key0];
        if (!(data0 && typeof data0 == 'object' && !Array.isArray(data0))) {
          const err1 = {
            instancePath: instancePath + '/' + key0.replace(/~/g, '~0').replace(/\//g, '~1'),
            schemaPath: '#/additionalProperties/type',
            keyword: 'type',
            params: { type: 'object' },
          };
          if (vErrors === null) {
            vErrors = [err1];
          } else {
            vErrors.push(err1);
          }
          errors++;
        }
      }
    }
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        const err2 = {
          instancePath: instancePath + '/id',
          schemaPath: '#/properties/id/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.deny !== undefined) {
      if (typeof data.deny !== 'boolean') {
        const err3 = {
          instancePath: instancePath + '/deny',
          schemaPath: '#/properties/deny/type',
          keyword: 'type',
          params: { type: 'boolean' },
        };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.async !== undefined) {
      if (typeof data.async !== 'boolean') {
        const err4 = {
          instancePath: instancePath + '/async',
          schemaPath: '#/properties/async/type',
          keyword: 'type',
          params: { type: 'boolean' },
        };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.on_fail !== undefined) {
      let data4 = data.on_fail;
      if (data4 && typeof data4 == 'object' && !Array.isArray(data4)) {
        for (const key1 in data4) {
          if (!(key1 === 'feedback' || key1 === 'deny')) {
            const err5 = {
              instancePath: instancePath + '/on_fail',
              schemaPath: '#/properties/on_fail/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key1 },
            };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
        if (data4.feedback !== undefined) {
          if (
            !validate33(data4.feedback, {
              instancePath: instancePath + '/on_fail/feedback',
              parentData: data4,
              parentDataProperty: 'feedback',
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate33.errors);
            errors = vErrors.length;
          }
        }
        if (data4.deny !== undefined) {
          if (typeof data4.deny !== 'boolean') {
            const err6 = {
              instancePath: instancePath + '/on_fail/deny',
              schemaPath: '#/properties/on_fail/properties/deny/type',
              keyword: 'type',
              params: { type: 'boolean' },
            };
            if (vErrors === null) {
              vErrors = [err6];
            } else {
              vErrors.push(err6);
            }
            errors++;
          }
        }
      } else {
        const err7 = {
          instancePath: instancePath + '/on_fail',
          schemaPath: '#/properties/on_fail/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.on_success !== undefined) {
      let data7 = data.on_success;
      if (data7 && typeof data7 == 'object' && !Array.isArray(data7)) {
        for (const key2 in data7) {
          if (!(key2 === 'feedback' || key2 === 'deny')) {
            const err8 = {
              instancePath: instancePath + '/on_success',
              schemaPath: '#/properties/on_success/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key2 },
            };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data7.feedback !== undefined) {
          if (
            !validate33(data7.feedback, {
              instancePath: instancePath + '/on_success/feedback',
              parentData: data7,
              parentDataProperty: 'feedback',
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate33.errors);
            errors = vErrors.length;
          }
        }
        if (data7.deny !== undefined) {
          if (typeof data7.deny !== 'boolean') {
            const err9 = {
              instancePath: instancePath + '/on_success/deny',
              schemaPath: '#/properties/on_success/properties/deny/type',
              keyword: 'type',
              params: { type: 'boolean' },
            };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
      } else {
        const err10 = {
          instancePath: instancePath + '/on_success',
          schemaPath: '#/properties/on_success/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
  }
  validate48.errors = vErrors;
  return errors === 0;
}
function validate21(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  const _errs1 = errors;
  let valid0 = false;
  const _errs2 = errors;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.provider === undefined) {
      const err0 = {
        instancePath,
        schemaPath: '#/anyOf/0/required',
        keyword: 'required',
        params: { missingProperty: 'provider' },
      };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
  }
  var _valid0 = _errs2 === errors;
  valid0 = valid0 || _valid0;
  if (!valid0) {
    const _errs3 = errors;
    if (data && typeof data == 'object' && !Array.isArray(data)) {
      if (data.virtual_key === undefined) {
        const err1 = {
          instancePath,
          schemaPath: '#/anyOf/1/required',
          keyword: 'required',
          params: { missingProperty: 'virtual_key' },
        };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    var _valid0 = _errs3 === errors;
    valid0 = valid0 || _valid0;
    if (!valid0) {
      const _errs4 = errors;
      if (data && typeof data == 'object' && !Array.isArray(data)) {
        if (data.strategy === undefined) {
          const err2 = {
            instancePath,
            schemaPath: '#/anyOf/2/required',
            keyword: 'required',
            params: { missingProperty: 'strategy' },
          };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
        if (data.targets === undefined) {
          const err3 = {
            instancePath,
            schemaPath: '#/anyOf/2/required',
            keyword: 'required',
            params: { missingProperty: 'targets' },
          };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
      }
      var _valid0 = _errs4 === errors;
      valid0 = valid0 || _valid0;
      if (!valid0) {
        const _errs5 = errors;
        if (data && typeof data == 'object' && !Array.isArray(data)) {
          if (data.cache === undefined) {
            const err4 = {
              instancePath,
              schemaPath: '#/anyOf/3/required',
              keyword: 'required',
              params: { missingProperty: 'cache' },
            };
            if (vErrors === null) {
              vErrors = [err4];
            } else {
              vErrors.push(err4);
            }
            errors++;
          }
        }
        var _valid0 = _errs5 === errors;
        valid0 = valid0 || _valid0;
        if (!valid0) {
          const _errs6 = errors;
          if (data && typeof data == 'object' && !Array.isArray(data)) {
            if (data.retry === undefined) {
              const err5 = {
                instancePath,
                schemaPath: '#/anyOf/4/required',
                keyword: 'required',
                params: { missingProperty: 'retry' },
              };
              if (vErrors === null) {
                vErrors = [err5];
              } else {
                vErrors.push(err5);
              }
              errors++;
            }
          }
          var _valid0 = _errs6 === errors;
          valid0 = valid0 || _valid0;
          if (!valid0) {
            const _errs7 = errors;
            if (data && typeof data == 'object' && !Array.isArray(data)) {
              if (data.prompt_id === undefined) {
                const err6 = {
                  instancePath,
                  schemaPath: '#/anyOf/5/required',
                  keyword: 'required',
                  params: { missingProperty: 'prompt_id' },
                };
                if (vErrors === null) {
                  vErrors = [err6];
                } else {
                  vErrors.push(err6);
                }
                errors++;
              }
            }
            var _valid0 = _errs7 === errors;
            valid0 = valid0 || _valid0;
            if (!valid0) {
              const _errs8 = errors;
              if (data && typeof data == 'object' && !Array.isArray(data)) {
                if (data.forward_headers === undefined) {
                  const err7 = {
                    instancePath,
                    schemaPath: '#/anyOf/6/required',
                    keyword: 'required',
                    params: { missingProperty: 'forward_headers' },
                  };
                  if (vErrors === null) {
                    vErrors = [err7];
                  } else {
                    vErrors.push(err7);
                  }
                  errors++;
                }
              }
              var _valid0 = _errs8 === errors;
              valid0 = valid0 || _valid0;
              if (!valid0) {
                const _errs9 = errors;
                if (data && typeof data == 'object' && !Array.isArray(data)) {
                  if (data.request_timeout === undefined) {
                    const err8 = {
                      instancePath,
                      schemaPath: '#/anyOf/7/required',
                      keyword: 'required',
                      params: { missingProperty: 'request_timeout' },
                    };
                    if (vErrors === null) {
                      vErrors = [err8];
                    } else {
                      vErrors.push(err8);
                    }
                    errors++;
                  }
                }
                var _valid0 = _errs9 === errors;
                valid0 = valid0 || _valid0;
                if (!valid0) {
                  const _errs10 = errors;
                  if (data && typeof data == 'object' && !Array.isArray(data)) {
                    if (data.after_request_hooks === undefined) {
                      const err9 = {
                        instancePath,
                        schemaPath: '#/anyOf/8/required',
                        keyword: 'required',
                        params: { missingProperty: 'after_request_hooks' },
                      };
                      if (vErrors === null) {
                        vErrors = [err9];
                      } else {
                        vErrors.push(err9);
                      }
                      errors++;
                    }
                  }
                  var _valid0 = _errs10 === errors;
                  valid0 = valid0 || _valid0;
                  if (!valid0) {
                    const _errs11 = errors;
                    if (data && typeof data == 'object' && !Array.isArray(data)) {
                      if (data.before_request_hooks === undefined) {
                        const err10 = {
                          instancePath,
                          schemaPath: '#/anyOf/9/required',
                          keyword: 'required',
                          params: { missingProperty: 'before_request_hooks' },
                        };
                        if (vErrors === null) {
                          vErrors = [err10];
                        } else {
                          vErrors.push(err10);
                        }
                        errors++;
                      }
                    }
                    var _valid0 = _errs11 === errors;
                    valid0 = valid0 || _valid0;
                    if (!valid0) {
                      const _errs12 = errors;
                      if (data && typeof data == 'object' && !Array.isArray(data)) {
                        if (data.input_guardrails === undefined) {
                          const err11 = {
                            instancePath,
                            schemaPath: '#/anyOf/10/required',
                            keyword: 'required',
                            params: { missingProperty: 'input_guardrails' },
                          };
                          if (vErrors === null) {
                            vErrors = [err11];
                          } else {
                            vErrors.push(err11);
                          }
                          errors++;
                        }
                      }
                      var _valid0 = _errs12 === errors;
                      valid0 = valid0 || _valid0;
                      if (!valid0) {
                        const _errs13 = errors;
                        if (data && typeof data == 'object' && !Array.isArray(data)) {
                          if (data.output_guardrails === undefined) {
                            const err12 = {
                              instancePath,
                              schemaPath: '#/anyOf/11/required',
                              keyword: 'required',
                              params: { missingProperty: 'output_guardrails' },
                            };
                            if (vErrors === null) {
                              vErrors = [err12];
                            } else {
                              vErrors.push(err12);
                            }
                            errors++;
                          }
                        }
                        var _valid0 = _errs13 === errors;
                        valid0 = valid0 || _valid0;
                        if (!valid0) {
                          const _errs14 = errors;
                          if (data && typeof data == 'object' && !Array.isArray(data)) {
                            if (data.override_params === undefined) {
                              const err13 = {
                                instancePath,
                                schemaPath: '#/anyOf/12/required',
                                keyword: 'required',
                                params: { missingProperty: 'override_params' },
                              };
                              if (vErrors === null) {
                                vErrors = [err13];
                              } else {
                                vErrors.push(err13);
                              }
                              errors++;
                            }
                            if (data.override_params !== undefined) {
                              let data0 = data.override_params;
                              if (data0 && typeof data0 == 'object' && !Array.isArray(data0)) {
                                if (data0.model === undefined) {
                                  const err14 = {
                                    instancePath: instancePath + '/override_params',
                                    schemaPath: '#/anyOf/12/properties/override_params/required',
                                    keyword: 'required',
                                    params: { missingProperty: 'model' },
                                  };
                                  if (vErrors === null) {
                                    vErrors = [err14];
                                  } else {
                                    vErrors.push(err14);
                                  }
                                  errors++;
                                }
                                if (data0.model !== undefined) {
                                  let data1 = data0.model;
                                  if (typeof data1 === 'string') {
                                    if (!pattern0.test(data1)) {
                                      const err15 = {
                                        instancePath: instancePath + '/override_params/model',
                                        schemaPath: '#/anyOf/12/properties/override_params/properties/model/pattern',
                                        keyword: 'pattern',
                                        params: { pattern: '^@[^/]+/.' },
                                      };
                                      if (vErrors === null) {
                                        vErrors = [err15];
                                      } else {
                                        vErrors.push(err15);
                                      }
                                      errors++;
                                    }
                                  } else {
                                    const err16 = {
                                      instancePath: instancePath + '/override_params/model',
                                      schemaPath: '#/anyOf/12/properties/override_params/properties/model/type',
                                      keyword: 'type',
                                      params: { type: 'string' },
                                    };
                                    if (vErrors === null) {
                                      vErrors = [err16];
                                    } else {
                                      vErrors.push(err16);
                                    }
                                    errors++;
                                  }
                                }
                              }
                            }
                          }
                          var _valid0 = _errs14 === errors;
                          valid0 = valid0 || _valid0;
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  if (!valid0) {
    const err17 = { instancePath, schemaPath: '#/anyOf', keyword: 'anyOf', params: {} };
    if (vErrors === null) {
      vErrors = [err17];
    } else {
      vErrors.push(err17);
    }
    errors++;
  } else {
    errors = _errs1;
    if (vErrors !== null) {
      if (_errs1) {
        vErrors.length = _errs1;
      } else {
        vErrors = null;
      }
    }
  }
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    for (const key0 in data) {
      if (!func2.call(schema6.properties, key0)) {
        const err18 = {
          instancePath,
          schemaPath: '#/additionalProperties',
          keyword: 'additionalProperties',
          params: { additionalProperty: key0 },
        };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
    }
    if (data.name !== undefined) {
      if (typeof data.name !== 'string') {
        const err19 = {
          instancePath: instancePath + '/name',
          schemaPath: '#/properties/name/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err19];
        } else {
          vErrors.push(err19);
        }
        errors++;
      }
    }
    if (data.strict_llmv_compliance !== undefined) {
      if (typeof data.strict_llmv_compliance !== 'boolean') {
        const err20 = {
          instancePath: instancePath + '/strict_llmv_compliance',
          schemaPath: '#/properties/strict_llmv_compliance/type',
          keyword: 'type',
          params: { type: 'boolean' },
        };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
    }
    if (data.provider !== undefined) {
      if (typeof data.provider !== 'string') {
        const err21 = {
          instancePath: instancePath + '/provider',
          schemaPath: '#/properties/provider/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err21];
        } else {
          vErrors.push(err21);
        }
        errors++;
      }
    }
    if (data.api_key !== undefined) {
      if (typeof data.api_key !== 'string') {
        const err22 = {
          instancePath: instancePath + '/api_key',
          schemaPath: '#/properties/api_key/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
    }
    if (data.virtual_key !== undefined) {
      if (typeof data.virtual_key !== 'string') {
        const err23 = {
          instancePath: instancePath + '/virtual_key',
          schemaPath: '#/properties/virtual_key/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err23];
        } else {
          vErrors.push(err23);
        }
        errors++;
      }
    }
    if (data.prompt_id !== undefined) {
      if (typeof data.prompt_id !== 'string') {
        const err24 = {
          instancePath: instancePath + '/prompt_id',
          schemaPath: '#/properties/prompt_id/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err24];
        } else {
          vErrors.push(err24);
        }
        errors++;
      }
    }
    if (data.request_timeout !== undefined) {
      let data8 = data.request_timeout;
      if (!(typeof data8 == 'number' && !(data8 % 1) && !isNaN(data8))) {
        const err25 = {
          instancePath: instancePath + '/request_timeout',
          schemaPath: '#/properties/request_timeout/type',
          keyword: 'type',
          params: { type: 'integer' },
        };
        if (vErrors === null) {
          vErrors = [err25];
        } else {
          vErrors.push(err25);
        }
        errors++;
      }
      if (typeof data8 == 'number') {
        if (data8 > 2147483647 || isNaN(data8)) {
          const err26 = {
            instancePath: instancePath + '/request_timeout',
            schemaPath: '#/properties/request_timeout/maximum',
            keyword: 'maximum',
            params: { comparison: '<=', limit: 2147483647 },
          };
          if (vErrors === null) {
            vErrors = [err26];
          } else {
            vErrors.push(err26);
          }
          errors++;
        }
        if (data8 < 0 || isNaN(data8)) {
          const err27 = {
            instancePath: instancePath + '/request_timeout',
            schemaPath: '#/properties/request_timeout/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err27];
          } else {
            vErrors.push(err27);
          }
          errors++;
        }
      }
    }
    if (data.weight !== undefined) {
      if (!(typeof data.weight == 'number')) {
        const err28 = {
          instancePath: instancePath + '/weight',
          schemaPath: '#/properties/weight/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err28];
        } else {
          vErrors.push(err28);
        }
        errors++;
      }
    }
    if (data.on_status_codes !== undefined) {
      let data10 = data.on_status_codes;
      if (Array.isArray(data10)) {
        const len0 = data10.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data11 = data10[i0];
          if (!(typeof data11 == 'number' && !(data11 % 1) && !isNaN(data11))) {
            const err29 = {
              instancePath: instancePath + '/on_status_codes/' + i0,
              schemaPath: '#/properties/on_status_codes/items/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err29];
            } else {
              vErrors.push(err29);
            }
            errors++;
          }
        }
      } else {
        const err30 = {
          instancePath: instancePath + '/on_status_codes',
          schemaPath: '#/properties/on_status_codes/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err30];
        } else {
          vErrors.push(err30);
        }
        errors++;
      }
    }
    if (data.custom_host !== undefined) {
      if (typeof data.custom_host !== 'string') {
        const err31 = {
          instancePath: instancePath + '/custom_host',
          schemaPath: '#/properties/custom_host/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err31];
        } else {
          vErrors.push(err31);
        }
        errors++;
      }
    }
    if (data.forward_headers !== undefined) {
      let data13 = data.forward_headers;
      if (Array.isArray(data13)) {
        const len1 = data13.length;
        for (let i1 = 0; i1 < len1; i1++) {
          if (typeof data13[i1] !== 'string') {
            const err32 = {
              instancePath: instancePath + '/forward_headers/' + i1,
              schemaPath: '#/properties/forward_headers/items/type',
              keyword: 'type',
              params: { type: 'string' },
            };
            if (vErrors === null) {
              vErrors = [err32];
            } else {
              vErrors.push(err32);
            }
            errors++;
          }
        }
      } else {
        const err33 = {
          instancePath: instancePath + '/forward_headers',
          schemaPath: '#/properties/forward_headers/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err33];
        } else {
          vErrors.push(err33);
        }
        errors++;
      }
    }
    if (data.targets !== undefined) {
      let data15 = data.targets;
      if (Array.isArray(data15)) {
        const len2 = data15.length;
        for (let i2 = 0; i2 < len2; i2++) {
          if (
            !wrapper0.validate(data15[i2], {
              instancePath: instancePath + '/targets/' + i2,
              parentData: data15,
              parentDataProperty: i2,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, wrapper0.validate.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err34 = {
          instancePath: instancePath + '/targets',
          schemaPath: '#/properties/targets/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err34];
        } else {
          vErrors.push(err34);
        }
        errors++;
      }
    }
    if (data.override_params !== undefined) {
      let data17 = data.override_params;
      if (!(data17 && typeof data17 == 'object' && !Array.isArray(data17))) {
        const err35 = {
          instancePath: instancePath + '/override_params',
          schemaPath: '#/properties/override_params/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err35];
        } else {
          vErrors.push(err35);
        }
        errors++;
      }
    }
    if (data.strategy !== undefined) {
      if (
        !validate22(data.strategy, {
          instancePath: instancePath + '/strategy',
          parentData: data,
          parentDataProperty: 'strategy',
          rootData,
        })
      ) {
        vErrors = joined(vErrors, validate22.errors);
        errors = vErrors.length;
      }
    }
    if (data.cache !== undefined) {
      if (
        !validate26(data.cache, {
          instancePath: instancePath + '/cache',
          parentData: data,
          parentDataProperty: 'cache',
          rootData,
        })
      ) {
        vErrors = joined(vErrors, validate26.errors);
        errors = vErrors.length;
      }
    }
    if (data.retry !== undefined) {
      if (
        !validate28(data.retry, {
          instancePath: instancePath + '/retry',
          parentData: data,
          parentDataProperty: 'retry',
          rootData,
        })
      ) {
        vErrors = joined(vErrors, validate28.errors);
        errors = vErrors.length;
      }
    }
    if (data.cb_config !== undefined) {
      if (
        !validate30(data.cb_config, {
          instancePath: instancePath + '/cb_config',
          parentData: data,
          parentDataProperty: 'cb_config',
          rootData,
        })
      ) {
        vErrors = joined(vErrors, validate30.errors);
        errors = vErrors.length;
      }
    }
    if (data.before_request_hooks !== undefined) {
      let data22 = data.before_request_hooks;
      if (Array.isArray(data22)) {
        const len3 = data22.length;
        for (let i3 = 0; i3 < len3; i3++) {
          if (
            !validate32(data22[i3], {
              instancePath: instancePath + '/before_request_hooks/' + i3,
              parentData: data22,
              parentDataProperty: i3,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate32.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err36 = {
          instancePath: instancePath + '/before_request_hooks',
          schemaPath: '#/properties/before_request_hooks/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err36];
        } else {
          vErrors.push(err36);
        }
        errors++;
      }
    }
    if (data.after_request_hooks !== undefined) {
      let data24 = data.after_request_hooks;
      if (Array.isArray(data24)) {
        const len4 = data24.length;
        for (let i4 = 0; i4 < len4; i4++) {
          if (
            !validate39(data24[i4], {
              instancePath: instancePath + '/after_request_hooks/' + i4,
              parentData: data24,
              parentDataProperty: i4,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate39.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err37 = {
          instancePath: instancePath + '/after_request_hooks',
          schemaPath: '#/properties/after_request_hooks/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err37];
        } else {
          vErrors.push(err37);
        }
        errors++;
      }
    }
    if (data.input_guardrails !== undefined) {
      let data26 = data.input_guardrails;
      if (Array.isArray(data26)) {
        const len5 = data26.length;
        for (let i5 = 0; i5 < len5; i5++) {
          if (
            !validate44(data26[i5], {
              instancePath: instancePath + '/input_guardrails/' + i5,
              parentData: data26,
              parentDataProperty: i5,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate44.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err38 = {
          instancePath: instancePath + '/input_guardrails',
          schemaPath: '#/properties/input_guardrails/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err38];
        } else {
          vErrors.push(err38);
        }
        errors++;
      }
    }
    if (data.output_guardrails !== undefined) {
      let data28 = data.output_guardrails;
      if (Array.isArray(data28)) {
        const len6 = data28.length;
        for (let i6 = 0; i6 < len6; i6++) {
          if (
            !validate48(data28[i6], {
              instancePath: instancePath + '/output_guardrails/' + i6,
              parentData: data28,
              parentDataProperty: i6,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate48.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err39 = {
          instancePath: instancePath + '/output_guardrails',
          schemaPath: '#/properties/output_guardrails/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err39];
        } else {
          vErrors.push(err39);
        }
        errors++;
      }
    }
    if (data.resource_name !== undefined) {
      if (typeof data.resource_name !== 'string') {
        const err40 = {
          instancePath: instancePath + '/resource_name',
          schemaPath: '#/properties/resource_name/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err40];
        } else {
          vErrors.push(err40);
        }
        errors++;
      }
    }
    if (data.deployment_id !== undefined) {
      if (typeof data.deployment_id !== 'string') {
        const err41 = {
          instancePath: instancePath + '/deployment_id',
          schemaPath: '#/properties/deployment_id/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err41];
        } else {
          vErrors.push(err41);
        }
        errors++;
      }
    }
    if (data.api_version !== undefined) {
      if (typeof data.api_version !== 'string') {
        const err42 = {
          instancePath: instancePath + '/api_version',
          schemaPath: '#/properties/api_version/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err42];
        } else {
          vErrors.push(err42);
        }
        errors++;
      }
    }
    if (data.deployments !== undefined) {
      let data33 = data.deployments;
      if (Array.isArray(data33)) {
        const len7 = data33.length;
        for (let i7 = 0; i7 < len7; i7++) {
          let data34 = data33[i7];
          if (data34 && typeof data34 == 'object' && !Array.isArray(data34)) {
            if (data34.deployment_id === undefined) {
              const err43 = {
                instancePath: instancePath + '/deployments/' + i7,
                schemaPath: '#/properties/deployments/items/required',
                keyword: 'required',
                params: { missingProperty: 'deployment_id' },
              };
              if (vErrors === null) {
                vErrors = [err43];
              } else {
                vErrors.push(err43);
              }
              errors++;
            }
            if (data34.alias === undefined) {
              const err44 = {
                instancePath: instancePath + '/deployments/' + i7,
                schemaPath: '#/properties/deployments/items/required',
                keyword: 'required',
                params: { missingProperty: 'alias' },
              };
              if (vErrors === null) {
                vErrors = [err44];
              } else {
                vErrors.push(err44);
              }
              errors++;
            }
            if (data34.api_version === undefined) {
              const err45 = {
                instancePath: instancePath + '/deployments/' + i7,
                schemaPath: '#/properties/deployments/items/required',
                keyword: 'required',
                params: { missingProperty: 'api_version' },
              };
              if (vErrors === null) {
                vErrors = [err45];
              } else {
                vErrors.push(err45);
              }
              errors++;
            }
            for (const key1 in data34) {
              if (!(key1 === 'deployment_id' || key1 === 'alias' || key1 === 'api_version' || key1 === 'is_default')) {
                const err46 = {
                  instancePath: instancePath + '/deployments/' + i7,
                  schemaPath: '#/properties/deployments/items/additionalProperties',
                  keyword: 'additionalProperties',
                  params: { additionalProperty: key1 },
                };
                if (vErrors === null) {
                  vErrors = [err46];
                } else {
                  vErrors.push(err46);
                }
                errors++;
              }
            }
            if (data34.deployment_id !== undefined) {
              if (typeof data34.deployment_id !== 'string') {
                const err47 = {
                  instancePath: instancePath + '/deployments/' + i7 + '/deployment_id',
                  schemaPath: '#/properties/deployments/items/properties/deployment_id/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err47];
                } else {
                  vErrors.push(err47);
                }
                errors++;
              }
            }
            if (data34.alias !== undefined) {
              if (typeof data34.alias !== 'string') {
                const err48 = {
                  instancePath: instancePath + '/deployments/' + i7 + '/alias',
                  schemaPath: '#/properties/deployments/items/properties/alias/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err48];
                } else {
                  vErrors.push(err48);
                }
                errors++;
              }
            }
            if (data34.api_version !== undefined) {
              if (typeof data34.api_version !== 'string') {
                const err49 = {
                  instancePath: instancePath + '/deployments/' + i7 + '/api_version',
                  schemaPath: '#/properties/deployments/items/properties/api_version/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err49];
                } else {
                  vErrors.push(err49);
                }
                errors++;
              }
            }
            if (data34.is_default !== undefined) {
              if (typeof data34.is_default !== 'boolean') {
                const err50 = {
                  instancePath: instancePath + '/deployments/' + i7 + '/is_default',
                  schemaPath: '#/properties/deployments/items/properties/is_default/type',
                  keyword: 'type',
                  params: { type: 'boolean' },
                };
                if (vErrors === null) {
                  vErrors = [err50];
                } else {
                  vErrors.push(err50);
                }
                errors++;
              }
            }
          } else {
            const err51 = {
              instancePath: instancePath + '/deployments/' + i7,
              schemaPath: '#/properties/deployments/items/type',
              keyword: 'type',
              params: { type: 'object' },
            };
            if (vErrors === null) {
              vErrors = [err51];
            } else {
              vErrors.push(err51);
            }
            errors++;
          }
        }
      } else {
        const err52 = {
          instancePath: instancePath + '/deployments',
          schemaPath: '#/properties/deployments/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err52];
        } else {
          vErrors.push(err52);
        }
        errors++;
      }
    }
    if (data.llmv_organization !== undefined) {
      if (typeof data.llmv_organization !== 'string') {
        const err53 = {
          instancePath: instancePath + '/llmv_organization',
          schemaPath: '#/properties/llmv_organization/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err53];
        } else {
          vErrors.push(err53);
        }
        errors++;
      }
    }
    if (data.llmv_project !== undefined) {
      if (typeof data.llmv_project !== 'string') {
        const err54 = {
          instancePath: instancePath + '/llmv_project',
          schemaPath: '#/properties/llmv_project/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err54];
        } else {
          vErrors.push(err54);
        }
        errors++;
      }
    }
    if (data.cloudc_access_key_id !== undefined) {
      if (typeof data.cloudc_access_key_id !== 'string') {
        const err55 = {
          instancePath: instancePath + '/cloudc_access_key_id',
          schemaPath: '#/properties/cloudc_access_key_id/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err55];
        } else {
          vErrors.push(err55);
        }
        errors++;
      }
    }
    if (data.cloudc_secret_access_key !== undefined) {
      if (typeof data.cloudc_secret_access_key !== 'string') {
        const err56 = {
          instancePath: instancePath + '/cloudc_secret_access_key',
          schemaPath: '#/properties/cloudc_secret_access_key/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err56];
        } else {
          vErrors.push(err56);
        }
        errors++;
      }
    }
    if (data.cloudc_region !== undefined) {
      if (typeof data.cloudc_region !== 'string') {
        const err57 = {
          instancePath: instancePath + '/cloudc_region',
          schemaPath: '#/properties/cloudc_region/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err57];
        } else {
          vErrors.push(err57);
        }
        errors++;
      }
    }
    if (data.cloudc_session_token !== undefined) {
      if (typeof data.cloudc_session_token !== 'string') {
        const err58 = {
          instancePath: instancePath + '/cloudc_session_token',
          schemaPath: '#/properties/cloudc_session_token/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err58];
        } else {
          vErrors.push(err58);
        }
        errors++;
      }
    }
    if (data.cloudb_project_id !== undefined) {
      if (typeof data.cloudb_project_id !== 'string') {
        const err59 = {
          instancePath: instancePath + '/cloudb_project_id',
          schemaPath: '#/properties/cloudb_project_id/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err59];
        } else {
          vErrors.push(err59);
        }
        errors++;
      }
    }
    if (data.cloudb_region !== undefined) {
      if (typeof data.cloudb_region !== 'string') {
        const err60 = {
          instancePath: instancePath + '/cloudb_region',
          schemaPath: '#/properties/cloudb_region/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err60];
        } else {
          vErrors.push(err60);
        }
        errors++;
      }
    }
    if (data.cloudb_service_account_json !== undefined) {
      let data47 = data.cloudb_service_account_json;
      if (!(data47 && typeof data47 == 'object' && !Array.isArray(data47))) {
        const err61 = {
          instancePath: instancePath + '/cloudb_service_account_json',
          schemaPath: '#/properties/cloudb_service_account_json/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err61];
        } else {
          vErrors.push(err61);
        }
        errors++;
      }
    }
    if (data.clouda_region !== undefined) {
      if (typeof data.clouda_region !== 'string') {
        const err62 = {
          instancePath: instancePath + '/clouda_region',
          schemaPath: '#/properties/clouda_region/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err62];
        } else {
          vErrors.push(err62);
        }
        errors++;
      }
    }
    if (data.clouda_deployment_name !== undefined) {
      if (typeof data.clouda_deployment_name !== 'string') {
        const err63 = {
          instancePath: instancePath + '/clouda_deployment_name',
          schemaPath: '#/properties/clouda_deployment_name/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err63];
        } else {
          vErrors.push(err63);
        }
        errors++;
      }
    }
    if (data.clouda_deployment_type !== undefined) {
      let data50 = data.clouda_deployment_type;
      if (typeof data50 !== 'string') {
        const err64 = {
          instancePath: instancePath + '/clouda_deployment_type',
          schemaPath: '#/properties/clouda_deployment_type/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err64];
        } else {
          vErrors.push(err64);
        }
        errors++;
      }
      if (!(data50 === 'serverless' || data50 === 'managed')) {
        const err65 = {
          instancePath: instancePath + '/clouda_deployment_type',
          schemaPath: '#/properties/clouda_deployment_type/enum',
          keyword: 'enum',
          params: { allowedValues: schema6.properties.clouda_deployment_type.enum },
        };
        if (vErrors === null) {
          vErrors = [err65];
        } else {
          vErrors.push(err65);
        }
        errors++;
      }
    }
    if (data.clouda_endpoint_name !== undefined) {
      if (typeof data.clouda_endpoint_name !== 'string') {
        const err66 = {
          instancePath: instancePath + '/clouda_endpoint_name',
          schemaPath: '#/properties/clouda_endpoint_name/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err66];
        } else {
          vErrors.push(err66);
        }
        errors++;
      }
    }
    if (data.clouda_api_version !== undefined) {
      if (typeof data.clouda_api_version !== 'string') {
        const err67 = {
          instancePath: instancePath + '/clouda_api_version',
          schemaPath: '#/properties/clouda_api_version/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err67];
        } else {
          vErrors.push(err67);
        }
        errors++;
      }
    }
    if (data.clouda_resource_name !== undefined) {
      if (typeof data.clouda_resource_name !== 'string') {
        const err68 = {
          instancePath: instancePath + '/clouda_resource_name',
          schemaPath: '#/properties/clouda_resource_name/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err68];
        } else {
          vErrors.push(err68);
        }
        errors++;
      }
    }
    if (data.clouda_deployment_id !== undefined) {
      if (typeof data.clouda_deployment_id !== 'string') {
        const err69 = {
          instancePath: instancePath + '/clouda_deployment_id',
          schemaPath: '#/properties/clouda_deployment_id/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err69];
        } else {
          vErrors.push(err69);
        }
        errors++;
      }
    }
    if (data.clouda_model_name !== undefined) {
      if (typeof data.clouda_model_name !== 'string') {
        const err70 = {
          instancePath: instancePath + '/clouda_model_name',
          schemaPath: '#/properties/clouda_model_name/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err70];
        } else {
          vErrors.push(err70);
        }
        errors++;
      }
    }
    if (data.Authorization !== undefined) {
      if (typeof data.Authorization !== 'string') {
        const err71 = {
          instancePath: instancePath + '/Authorization',
          schemaPath: '#/properties/Authorization/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err71];
        } else {
          vErrors.push(err71);
        }
        errors++;
      }
    }
  } else {
    const err72 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err72];
    } else {
      vErrors.push(err72);
    }
    errors++;
  }
  validate21.errors = vErrors;
  return errors === 0;
}

const closedPlace = closedPlaceFinder(Object.keys(configKeys));

/** What is wrong with the shape of a value; nothing where it fits. */
export const validateConfig: (value: unknown) => readonly ShapeError[] = (value) =>
  validate21(value)
    ? []
    : validate21.errors.map((error) =>
        error.keyword === 'additionalProperties'
          ? { ...error, schemaPath: closedPlace(error.instancePath) ?? '' }
          : error,
      );
