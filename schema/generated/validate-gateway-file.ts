// @ts-nocheck: this is Ajv's standalone code, with types only on what it exports.
// Made from schema/gateway.schema.json by schema/generate.ts (npm run generate); do not edit.

import { closedPlaceFinder } from '../closed-place-finder.ts';
import { joined } from '../joined.ts';
import type { ShapeError } from '../shape-error.ts';
import { gatewayFileKeys } from './gateway-file-keys.ts';

const schema6 = {
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    listen: {
      type: 'object',
      additionalProperties: false,
      properties: { host: { type: 'string' }, port: { type: 'integer', minimum: 0, maximum: 65535 } },
    },
    auth: {
      type: 'object',
      additionalProperties: false,
      required: ['keys'],
      properties: {
        keys: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['id', 'key'],
            properties: {
              id: { type: 'string' },
              key: { type: 'string', pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
              tenant: { type: 'string' },
            },
          },
        },
      },
    },
    configs: { type: 'string' },
    default_config: { type: 'string' },
    plugins: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['package'],
        properties: {
          package: { type: 'string' },
          options: { type: 'object' },
          isolate: { type: 'boolean' },
          memory_mb: { type: 'integer', minimum: 64, maximum: 65536 },
        },
      },
    },
    providers: { type: 'object', additionalProperties: { $ref: '#/definitions/saved_provider' } },
    virtual_keys: { type: 'object', additionalProperties: { $ref: '#/definitions/saved_provider' } },
    guardrails: { type: 'object', additionalProperties: { $ref: '#/definitions/saved_guardrail' } },
    trusted_hosts: { type: 'array', items: { type: 'string' } },
    pass_through: { type: 'string', enum: ['judged', 'allow'] },
    judged_turns: { type: 'string', enum: ['new', 'all'] },
    unjudged_members: { type: 'string', enum: ['judge', 'allow'] },
    unknown_headers: { type: 'string', enum: ['refuse', 'ignore'] },
    on_loss: { type: 'string', enum: ['tell', 'refuse'] },
    prompt_cache: { type: 'string', enum: ['off', 'auto'] },
    usage: { type: 'boolean' },
    prices: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { $ref: '#/definitions/model_price' } },
    },
    cache: {
      type: 'object',
      additionalProperties: false,
      properties: {
        url: { type: 'string', pattern: '^(rediss?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$' },
        max_bytes: { type: 'integer', minimum: 1 },
        stale_if_error_s: { type: 'integer', minimum: 0, maximum: 31536000 },
        semantic: {
          type: 'object',
          additionalProperties: false,
          required: ['provider', 'model'],
          properties: {
            provider: { type: 'string', pattern: '^@.' },
            model: { type: 'string', minLength: 1 },
            threshold: { type: 'number', minimum: 0.5, maximum: 1 },
            timeout_ms: { type: 'integer', minimum: 1, maximum: 5000 },
            max_bytes: { type: 'integer', minimum: 1 },
            url: {
              type: 'string',
              pattern: '^(postgres(ql)?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$',
            },
          },
        },
      },
    },
    metrics: {
      type: ['boolean', 'object'],
      additionalProperties: false,
      properties: {
        tokens: { type: 'boolean' },
        port: { type: 'integer', minimum: 0, maximum: 65535 },
        host: { type: 'string' },
      },
    },
    telemetry: {
      type: 'object',
      additionalProperties: false,
      required: ['otlp'],
      properties: {
        otlp: {
          type: 'object',
          additionalProperties: false,
          required: ['url'],
          properties: {
            url: {
              type: 'string',
              pattern: '^(https?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$',
            },
            headers: {
              type: 'object',
              additionalProperties: { type: 'string', pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
            },
          },
        },
        service_name: { type: 'string', minLength: 1 },
        traces: { type: 'boolean' },
        metrics: { type: 'boolean' },
        sample_ratio: { type: 'number', minimum: 0, maximum: 1 },
      },
    },
    store: {
      type: 'object',
      additionalProperties: false,
      required: ['url'],
      properties: {
        url: {
          type: 'string',
          pattern:
            '^(\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}|postgres(ql)?://[^@\\s]+|(?!\\$\\{)(?![a-z]+://).+)$',
        },
        master_key: { type: 'string', pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
        stale_auth_ms: { type: 'integer', minimum: 0, maximum: 86400000 },
        limits: {
          type: 'object',
          additionalProperties: false,
          required: ['url'],
          properties: {
            url: {
              type: 'string',
              pattern: '^(rediss?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$',
            },
          },
        },
        files: {
          type: 'object',
          additionalProperties: false,
          properties: {
            folder: { type: 'string', minLength: 1 },
            url: { type: 'string', pattern: '^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._~-]+)*/?$' },
            endpoint: { type: 'string', pattern: '^https?://[^@/?#\\s]+/?$' },
            region: { type: 'string', pattern: '^[a-z0-9-]+$' },
            access_key_id: { type: 'string', pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
            secret_access_key: { type: 'string', pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
            path_style: { type: 'boolean' },
            max_bytes: { type: 'integer', minimum: 1, maximum: 5368709120 },
            quota_bytes: { type: 'integer', minimum: 1, maximum: 1125899906842624 },
          },
        },
        audit: {
          type: 'object',
          additionalProperties: false,
          properties: { keep_days: { type: 'integer', minimum: 1, maximum: 36500 } },
        },
        ledger: {
          type: ['boolean', 'object'],
          additionalProperties: false,
          properties: {
            keep_days: { type: 'integer', minimum: 1, maximum: 36500 },
            keep_mb: { type: 'integer', minimum: 8, maximum: 1048576 },
          },
        },
      },
    },
    log: {
      type: ['boolean', 'object'],
      additionalProperties: false,
      properties: {
        bodies: { type: 'boolean' },
        body_bytes: { type: 'integer', minimum: 1, maximum: 1048576 },
        redact: { type: 'array', maxItems: 64, items: { type: 'string', pattern: '^(/[^/]*)+$' } },
        headers: { type: 'array', maxItems: 64, items: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' } },
        keep_days: { type: 'integer', minimum: 1, maximum: 3650 },
        keep_mb: { type: 'integer', minimum: 8, maximum: 1048576 },
      },
    },
    limits: {
      type: 'object',
      additionalProperties: false,
      properties: {
        header_bytes: { type: 'integer', minimum: 1 },
        config_bytes: { type: 'integer', minimum: 1 },
        body_bytes: { type: 'integer', minimum: 1 },
        bodies_bytes: { type: 'integer', minimum: 1 },
        answer_bytes: { type: 'integer', minimum: 1 },
        idle_ms: { type: 'integer', minimum: 1 },
        drain_ms: { type: 'integer', minimum: 1 },
        drain_delay_ms: { type: 'integer', minimum: 0 },
      },
    },
  },
  definitions: {
    saved_provider: {
      type: 'object',
      additionalProperties: false,
      required: ['provider'],
      properties: {
        provider: { type: 'string' },
        credential: {
          type: 'object',
          additionalProperties: { type: 'string', pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
        },
        settings: { type: 'object' },
      },
    },
    token_prices: {
      type: 'object',
      additionalProperties: false,
      required: ['input', 'output'],
      properties: {
        input: { type: 'number', minimum: 0 },
        output: { type: 'number', minimum: 0 },
        cache_read: { type: 'number', minimum: 0 },
        cache_write: { type: 'number', minimum: 0 },
        cache_write_1h: { type: 'number', minimum: 0 },
        input_audio: { type: 'number', minimum: 0 },
        output_audio: { type: 'number', minimum: 0 },
        input_image: { type: 'number', minimum: 0 },
        output_image: { type: 'number', minimum: 0 },
        reasoning: { type: 'number', minimum: 0 },
        request: { type: 'number', minimum: 0 },
        web_search: { type: 'number', minimum: 0 },
      },
    },
    model_price: {
      type: 'object',
      additionalProperties: false,
      required: ['input', 'output'],
      properties: {
        input: { type: 'number', minimum: 0 },
        output: { type: 'number', minimum: 0 },
        cache_read: { type: 'number', minimum: 0 },
        cache_write: { type: 'number', minimum: 0 },
        cache_write_1h: { type: 'number', minimum: 0 },
        input_audio: { type: 'number', minimum: 0 },
        output_audio: { type: 'number', minimum: 0 },
        input_image: { type: 'number', minimum: 0 },
        output_image: { type: 'number', minimum: 0 },
        reasoning: { type: 'number', minimum: 0 },
        request: { type: 'number', minimum: 0 },
        web_search: { type: 'number', minimum: 0 },
        tiers: { type: 'object', additionalProperties: { $ref: '#/definitions/token_prices' } },
      },
    },
    saved_guardrail: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        deny: { type: 'boolean' },
        async: { type: 'boolean' },
        sequential: { type: 'boolean' },
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
    feedback: {
      type: 'object',
      additionalProperties: false,
      properties: { value: { type: 'number' }, weight: { type: 'number' }, metadata: { type: 'object' } },
    },
  },
};
const func2 = Object.prototype.hasOwnProperty;
const func5 = (text) => [...text].length;
const pattern0 = new RegExp('^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$', 'u');
const pattern2 = new RegExp('^(rediss?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$', 'u');
const pattern3 = new RegExp('^@.', 'u');
const pattern4 = new RegExp('^(postgres(ql)?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$', 'u');
const pattern5 = new RegExp('^(https?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$', 'u');
const pattern7 = new RegExp(
  '^(\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}|postgres(ql)?://[^@\\s]+|(?!\\$\\{)(?![a-z]+://).+)$',
  'u',
);
const pattern10 = new RegExp('^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._~-]+)*/?$', 'u');
const pattern11 = new RegExp('^https?://[^@/?#\\s]+/?$', 'u');
const pattern12 = new RegExp('^[a-z0-9-]+$', 'u');
const pattern15 = new RegExp('^(/[^/]*)+$', 'u');
const pattern16 = new RegExp('^[A-Za-z0-9_-]+$', 'u');
const schema7 = {
  type: 'object',
  additionalProperties: false,
  required: ['provider'],
  properties: {
    provider: { type: 'string' },
    credential: {
      type: 'object',
      additionalProperties: { type: 'string', pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
    },
    settings: { type: 'object' },
  },
};
function validate22(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.provider === undefined) {
      const err0 = {
        instancePath,
        schemaPath: '#/required',
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
    for (const key0 in data) {
      if (!(key0 === 'provider' || key0 === 'credential' || key0 === 'settings')) {
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
    if (data.provider !== undefined) {
      if (typeof data.provider !== 'string') {
        const err2 = {
          instancePath: instancePath + '/provider',
          schemaPath: '#/properties/provider/type',
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
    if (data.credential !== undefined) {
      let data1 = data.credential;
      if (data1 && typeof data1 == 'object' && !Array.isArray(data1)) {
        for (const key1 in data1) {
          let data2 = data1[key1];
          if (typeof data2 === 'string') {
            if (!pattern0.test(data2)) {
              const err3 = {
                instancePath: instancePath + '/credential/' + key1.replace(/~/g, '~0').replace(/\//g, '~1'),
                schemaPath: '#/properties/credential/additionalProperties/pattern',
                keyword: 'pattern',
                params: { pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
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
              instancePath: instancePath + '/credential/' + key1.replace(/~/g, '~0').replace(/\//g, '~1'),
              schemaPath: '#/properties/credential/additionalProperties/type',
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
        const err5 = {
          instancePath: instancePath + '/credential',
          schemaPath: '#/properties/credential/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.settings !== undefined) {
      let data3 = data.settings;
      if (!(data3 && typeof data3 == 'object' && !Array.isArray(data3))) {
        const err6 = {
          instancePath: instancePath + '/settings',
          schemaPath: '#/properties/settings/type',
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
  } else {
    const err7 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err7];
    } else {
      vErrors.push(err7);
    }
    errors++;
  }
  validate22.errors = vErrors;
  return errors === 0;
}
const schema8 = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    deny: { type: 'boolean' },
    async: { type: 'boolean' },
    sequential: { type: 'boolean' },
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
const schema9 = {
  type: 'object',
  additionalProperties: false,
  properties: { value: { type: 'number' }, weight: { type: 'number' }, metadata: { type: 'object' } },
};
function validate26(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
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
  validate26.errors = vErrors;
  return errors === 0;
}
function validate25(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    for (const key0 in data) {
      if (
        !(
          key0 === 'id' ||
          key0 === 'deny' ||
          key0 === 'async' ||
          key0 === 'sequential' ||
          key0 === 'on_fail' ||
          key0 === 'on_success'
        )
      ) {
        let data0 = data[key0];
        if (!(data0 && typeof data0 == 'object' && !Array.isArray(data0))) {
          const err0 = {
            instancePath: instancePath + '/' + key0.replace(/~/g, '~0').replace(/\//g, '~1'),
            schemaPath: '#/additionalProperties/type',
            keyword: 'type',
            params: { type: 'object' },
          };
          if (vErrors === null) {
            vErrors = [err0];
          } else {
            vErrors.push(err0);
          }
          errors++;
        }
      }
    }
    if (data.id !== undefined) {
      if (typeof data.id !== 'string') {
        const err1 = {
          instancePath: instancePath + '/id',
          schemaPath: '#/properties/id/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.deny !== undefined) {
      if (typeof data.deny !== 'boolean') {
        const err2 = {
          instancePath: instancePath + '/deny',
          schemaPath: '#/properties/deny/type',
          keyword: 'type',
          params: { type: 'boolean' },
        };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.async !== undefined) {
      if (typeof data.async !== 'boolean') {
        const err3 = {
          instancePath: instancePath + '/async',
          schemaPath: '#/properties/async/type',
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
    if (data.sequential !== undefined) {
      if (typeof data.sequential !== 'boolean') {
        const err4 = {
          instancePath: instancePath + '/sequential',
          schemaPath: '#/properties/sequential/type',
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
      let data5 = data.on_fail;
      if (data5 && typeof data5 == 'object' && !Array.isArray(data5)) {
        for (const key1 in data5) {
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
        if (data5.feedback !== undefined) {
          if (
            !validate26(data5.feedback, {
              instancePath: instancePath + '/on_fail/feedback',
              parentData: data5,
              parentDataProperty: 'feedback',
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate26.errors);
            errors = vErrors.length;
          }
        }
        if (data5.deny !== undefined) {
          if (typeof data5.deny !== 'boolean') {
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
      let data8 = data.on_success;
      if (data8 && typeof data8 == 'object' && !Array.isArray(data8)) {
        for (const key2 in data8) {
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
        if (data8.feedback !== undefined) {
          if (
            !validate26(data8.feedback, {
              instancePath: instancePath + '/on_success/feedback',
              parentData: data8,
              parentDataProperty: 'feedback',
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate26.errors);
            errors = vErrors.length;
          }
        }
        if (data8.deny !== undefined) {
          if (typeof data8.deny !== 'boolean') {
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
  } else {
    const err11 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err11];
    } else {
      vErrors.push(err11);
    }
    errors++;
  }
  validate25.errors = vErrors;
  return errors === 0;
}
const schema10 = {
  type: 'object',
  additionalProperties: false,
  required: ['input', 'output'],
  properties: {
    input: { type: 'number', minimum: 0 },
    output: { type: 'number', minimum: 0 },
    cache_read: { type: 'number', minimum: 0 },
    cache_write: { type: 'number', minimum: 0 },
    cache_write_1h: { type: 'number', minimum: 0 },
    input_audio: { type: 'number', minimum: 0 },
    output_audio: { type: 'number', minimum: 0 },
    input_image: { type: 'number', minimum: 0 },
    output_image: { type: 'number', minimum: 0 },
    reasoning: { type: 'number', minimum: 0 },
    request: { type: 'number', minimum: 0 },
    web_search: { type: 'number', minimum: 0 },
    tiers: { type: 'object', additionalProperties: { $ref: '#/definitions/token_prices' } },
  },
};
const schema11 = {
  type: 'object',
  additionalProperties: false,
  required: ['input', 'output'],
  properties: {
    input: { type: 'number', minimum: 0 },
    output: { type: 'number', minimum: 0 },
    cache_read: { type: 'number', minimum: 0 },
    cache_write: { type: 'number', minimum: 0 },
    cache_write_1h: { type: 'number', minimum: 0 },
    input_audio: { type: 'number', minimum: 0 },
    output_audio: { type: 'number', minimum: 0 },
    input_image: { type: 'number', minimum: 0 },
    output_image: { type: 'number', minimum: 0 },
    reasoning: { type: 'number', minimum: 0 },
    request: { type: 'number', minimum: 0 },
    web_search: { type: 'number', minimum: 0 },
  },
};
function validate31(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.input === undefined) {
      const err0 = {
        instancePath,
        schemaPath: '#/required',
        keyword: 'required',
        params: { missingProperty: 'input' },
      };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.output === undefined) {
      const err1 = {
        instancePath,
        schemaPath: '#/required',
        keyword: 'required',
        params: { missingProperty: 'output' },
      };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!func2.call(schema11.properties, key0)) {
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
    if (data.input !== undefined) {
      let data0 = data.input;
      if (typeof data0 == 'number') {
        if (data0 < 0 || isNaN(data0)) {
          const err3 = {
            instancePath: instancePath + '/input',
            schemaPath: '#/properties/input/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
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
          instancePath: instancePath + '/input',
          schemaPath: '#/properties/input/type',
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
    if (data.output !== undefined) {
      let data1 = data.output;
      if (typeof data1 == 'number') {
        if (data1 < 0 || isNaN(data1)) {
          const err5 = {
            instancePath: instancePath + '/output',
            schemaPath: '#/properties/output/minimum',
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
      } else {
        const err6 = {
          instancePath: instancePath + '/output',
          schemaPath: '#/properties/output/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.cache_read !== undefined) {
      let data2 = data.cache_read;
      if (typeof data2 == 'number') {
        if (data2 < 0 || isNaN(data2)) {
          const err7 = {
            instancePath: instancePath + '/cache_read',
            schemaPath: '#/properties/cache_read/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
      } else {
        const err8 = {
          instancePath: instancePath + '/cache_read',
          schemaPath: '#/properties/cache_read/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.cache_write !== undefined) {
      let data3 = data.cache_write;
      if (typeof data3 == 'number') {
        if (data3 < 0 || isNaN(data3)) {
          const err9 = {
            instancePath: instancePath + '/cache_write',
            schemaPath: '#/properties/cache_write/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
      } else {
        const err10 = {
          instancePath: instancePath + '/cache_write',
          schemaPath: '#/properties/cache_write/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.cache_write_1h !== undefined) {
      let data4 = data.cache_write_1h;
      if (typeof data4 == 'number') {
        if (data4 < 0 || isNaN(data4)) {
          const err11 = {
            instancePath: instancePath + '/cache_write_1h',
            schemaPath: '#/properties/cache_write_1h/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
      } else {
        const err12 = {
          instancePath: instancePath + '/cache_write_1h',
          schemaPath: '#/properties/cache_write_1h/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.input_audio !== undefined) {
      let data5 = data.input_audio;
      if (typeof data5 == 'number') {
        if (data5 < 0 || isNaN(data5)) {
          const err13 = {
            instancePath: instancePath + '/input_audio',
            schemaPath: '#/properties/input_audio/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
      } else {
        const err14 = {
          instancePath: instancePath + '/input_audio',
          schemaPath: '#/properties/input_audio/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    if (data.output_audio !== undefined) {
      let data6 = data.output_audio;
      if (typeof data6 == 'number') {
        if (data6 < 0 || isNaN(data6)) {
          const err15 = {
            instancePath: instancePath + '/output_audio',
            schemaPath: '#/properties/output_audio/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
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
          instancePath: instancePath + '/output_audio',
          schemaPath: '#/properties/output_audio/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
    }
    if (data.input_image !== undefined) {
      let data7 = data.input_image;
      if (typeof data7 == 'number') {
        if (data7 < 0 || isNaN(data7)) {
          const err17 = {
            instancePath: instancePath + '/input_image',
            schemaPath: '#/properties/input_image/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err17];
          } else {
            vErrors.push(err17);
          }
          errors++;
        }
      } else {
        const err18 = {
          instancePath: instancePath + '/input_image',
          schemaPath: '#/properties/input_image/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
    }
    if (data.output_image !== undefined) {
      let data8 = data.output_image;
      if (typeof data8 == 'number') {
        if (data8 < 0 || isNaN(data8)) {
          const err19 = {
            instancePath: instancePath + '/output_image',
            schemaPath: '#/properties/output_image/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err19];
          } else {
            vErrors.push(err19);
          }
          errors++;
        }
      } else {
        const err20 = {
          instancePath: instancePath + '/output_image',
          schemaPath: '#/properties/output_image/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
    }
    if (data.reasoning !== undefined) {
      let data9 = data.reasoning;
      if (typeof data9 == 'number') {
        if (data9 < 0 || isNaN(data9)) {
          const err21 = {
            instancePath: instancePath + '/reasoning',
            schemaPath: '#/properties/reasoning/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err21];
          } else {
            vErrors.push(err21);
          }
          errors++;
        }
      } else {
        const err22 = {
          instancePath: instancePath + '/reasoning',
          schemaPath: '#/properties/reasoning/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
    }
    if (data.request !== undefined) {
      let data10 = data.request;
      if (typeof data10 == 'number') {
        if (data10 < 0 || isNaN(data10)) {
          const err23 = {
            instancePath: instancePath + '/request',
            schemaPath: '#/properties/request/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err23];
          } else {
            vErrors.push(err23);
          }
          errors++;
        }
      } else {
        const err24 = {
          instancePath: instancePath + '/request',
          schemaPath: '#/properties/request/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err24];
        } else {
          vErrors.push(err24);
        }
        errors++;
      }
    }
    if (data.web_search !== undefined) {
      let data11 = data.web_search;
      if (typeof data11 == 'number') {
        if (data11 < 0 || isNaN(data11)) {
          const err25 = {
            instancePath: instancePath + '/web_search',
            schemaPath: '#/properties/web_search/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err25];
          } else {
            vErrors.push(err25);
          }
          errors++;
        }
      } else {
        const err26 = {
          instancePath: instancePath + '/web_search',
          schemaPath: '#/properties/web_search/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err26];
        } else {
          vErrors.push(err26);
        }
        errors++;
      }
    }
  } else {
    const err27 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err27];
    } else {
      vErrors.push(err27);
    }
    errors++;
  }
  validate31.errors = vErrors;
  return errors === 0;
}
function validate30(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.input === undefined) {
      const err0 = {
        instancePath,
        schemaPath: '#/required',
        keyword: 'required',
        params: { missingProperty: 'input' },
      };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.output === undefined) {
      const err1 = {
        instancePath,
        schemaPath: '#/required',
        keyword: 'required',
        params: { missingProperty: 'output' },
      };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!func2.call(schema10.properties, key0)) {
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
    if (data.input !== undefined) {
      let data0 = data.input;
      if (typeof data0 == 'number') {
        if (data0 < 0 || isNaN(data0)) {
          const err3 = {
            instancePath: instancePath + '/input',
            schemaPath: '#/properties/input/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
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
          instancePath: instancePath + '/input',
          schemaPath: '#/properties/input/type',
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
    if (data.output !== undefined) {
      let data1 = data.output;
      if (typeof data1 == 'number') {
        if (data1 < 0 || isNaN(data1)) {
          const err5 = {
            instancePath: instancePath + '/output',
            schemaPath: '#/properties/output/minimum',
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
      } else {
        const err6 = {
          instancePath: instancePath + '/output',
          schemaPath: '#/properties/output/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.cache_read !== undefined) {
      let data2 = data.cache_read;
      if (typeof data2 == 'number') {
        if (data2 < 0 || isNaN(data2)) {
          const err7 = {
            instancePath: instancePath + '/cache_read',
            schemaPath: '#/properties/cache_read/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
      } else {
        const err8 = {
          instancePath: instancePath + '/cache_read',
          schemaPath: '#/properties/cache_read/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.cache_write !== undefined) {
      let data3 = data.cache_write;
      if (typeof data3 == 'number') {
        if (data3 < 0 || isNaN(data3)) {
          const err9 = {
            instancePath: instancePath + '/cache_write',
            schemaPath: '#/properties/cache_write/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
      } else {
        const err10 = {
          instancePath: instancePath + '/cache_write',
          schemaPath: '#/properties/cache_write/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.cache_write_1h !== undefined) {
      let data4 = data.cache_write_1h;
      if (typeof data4 == 'number') {
        if (data4 < 0 || isNaN(data4)) {
          const err11 = {
            instancePath: instancePath + '/cache_write_1h',
            schemaPath: '#/properties/cache_write_1h/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
      } else {
        const err12 = {
          instancePath: instancePath + '/cache_write_1h',
          schemaPath: '#/properties/cache_write_1h/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.input_audio !== undefined) {
      let data5 = data.input_audio;
      if (typeof data5 == 'number') {
        if (data5 < 0 || isNaN(data5)) {
          const err13 = {
            instancePath: instancePath + '/input_audio',
            schemaPath: '#/properties/input_audio/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
      } else {
        const err14 = {
          instancePath: instancePath + '/input_audio',
          schemaPath: '#/properties/input_audio/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    if (data.output_audio !== undefined) {
      let data6 = data.output_audio;
      if (typeof data6 == 'number') {
        if (data6 < 0 || isNaN(data6)) {
          const err15 = {
            instancePath: instancePath + '/output_audio',
            schemaPath: '#/properties/output_audio/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
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
          instancePath: instancePath + '/output_audio',
          schemaPath: '#/properties/output_audio/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
    }
    if (data.input_image !== undefined) {
      let data7 = data.input_image;
      if (typeof data7 == 'number') {
        if (data7 < 0 || isNaN(data7)) {
          const err17 = {
            instancePath: instancePath + '/input_image',
            schemaPath: '#/properties/input_image/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err17];
          } else {
            vErrors.push(err17);
          }
          errors++;
        }
      } else {
        const err18 = {
          instancePath: instancePath + '/input_image',
          schemaPath: '#/properties/input_image/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
    }
    if (data.output_image !== undefined) {
      let data8 = data.output_image;
      if (typeof data8 == 'number') {
        if (data8 < 0 || isNaN(data8)) {
          const err19 = {
            instancePath: instancePath + '/output_image',
            schemaPath: '#/properties/output_image/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err19];
          } else {
            vErrors.push(err19);
          }
          errors++;
        }
      } else {
        const err20 = {
          instancePath: instancePath + '/output_image',
          schemaPath: '#/properties/output_image/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
    }
    if (data.reasoning !== undefined) {
      let data9 = data.reasoning;
      if (typeof data9 == 'number') {
        if (data9 < 0 || isNaN(data9)) {
          const err21 = {
            instancePath: instancePath + '/reasoning',
            schemaPath: '#/properties/reasoning/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err21];
          } else {
            vErrors.push(err21);
          }
          errors++;
        }
      } else {
        const err22 = {
          instancePath: instancePath + '/reasoning',
          schemaPath: '#/properties/reasoning/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
    }
    if (data.request !== undefined) {
      let data10 = data.request;
      if (typeof data10 == 'number') {
        if (data10 < 0 || isNaN(data10)) {
          const err23 = {
            instancePath: instancePath + '/request',
            schemaPath: '#/properties/request/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err23];
          } else {
            vErrors.push(err23);
          }
          errors++;
        }
      } else {
        const err24 = {
          instancePath: instancePath + '/request',
          schemaPath: '#/properties/request/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err24];
        } else {
          vErrors.push(err24);
        }
        errors++;
      }
    }
    if (data.web_search !== undefined) {
      let data11 = data.web_search;
      if (typeof data11 == 'number') {
        if (data11 < 0 || isNaN(data11)) {
          const err25 = {
            instancePath: instancePath + '/web_search',
            schemaPath: '#/properties/web_search/minimum',
            keyword: 'minimum',
            params: { comparison: '>=', limit: 0 },
          };
          if (vErrors === null) {
            vErrors = [err25];
          } else {
            vErrors.push(err25);
          }
          errors++;
        }
      } else {
        const err26 = {
          instancePath: instancePath + '/web_search',
          schemaPath: '#/properties/web_search/type',
          keyword: 'type',
          params: { type: 'number' },
        };
        if (vErrors === null) {
          vErrors = [err26];
        } else {
          vErrors.push(err26);
        }
        errors++;
      }
    }
    if (data.tiers !== undefined) {
      let data12 = data.tiers;
      if (data12 && typeof data12 == 'object' && !Array.isArray(data12)) {
        for (const key1 in data12) {
          if (
            !validate31(data12[key1], {
              instancePath: instancePath + '/tiers/' + key1.replace(/~/g, '~0').replace(/\//g, '~1'),
              parentData: data12,
              parentDataProperty: key1,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate31.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err27 = {
          instancePath: instancePath + '/tiers',
          schemaPath: '#/properties/tiers/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
  } else {
    const err28 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err28];
    } else {
      vErrors.push(err28);
    }
    errors++;
  }
  validate30.errors = vErrors;
  return errors === 0;
}
function validate21(data, { instancePath = '', parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    for (const key0 in data) {
      if (!func2.call(schema6.properties, key0)) {
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
    if (data.$schema !== undefined) {
      if (typeof data.$schema !== 'string') {
        const err1 = {
          instancePath: instancePath + '/$schema',
          schemaPath: '#/properties/%24schema/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.listen !== undefined) {
      let data1 = data.listen;
      if (data1 && typeof data1 == 'object' && !Array.isArray(data1)) {
        for (const key1 in data1) {
          if (!(key1 === 'host' || key1 === 'port')) {
            const err2 = {
              instancePath: instancePath + '/listen',
              schemaPath: '#/properties/listen/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key1 },
            };
            if (vErrors === null) {
              vErrors = [err2];
            } else {
              vErrors.push(err2);
            }
            errors++;
          }
        }
        if (data1.host !== undefined) {
          if (typeof data1.host !== 'string') {
            const err3 = {
              instancePath: instancePath + '/listen/host',
              schemaPath: '#/properties/listen/properties/host/type',
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
        if (data1.port !== undefined) {
          let data3 = data1.port;
          if (!(typeof data3 == 'number' && !(data3 % 1) && !isNaN(data3))) {
            const err4 = {
              instancePath: instancePath + '/listen/port',
              schemaPath: '#/properties/listen/properties/port/type',
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
          if (typeof data3 == 'number') {
            if (data3 > 65535 || isNaN(data3)) {
              const err5 = {
                instancePath: instancePath + '/listen/port',
                schemaPath: '#/properties/listen/properties/port/maximum',
                keyword: 'maximum',
                params: { comparison: '<=', limit: 65535 },
              };
              if (vErrors === null) {
                vErrors = [err5];
              } else {
                vErrors.push(err5);
              }
              errors++;
            }
            if (data3 < 0 || isNaN(data3)) {
              const err6 = {
                instancePath: instancePath + '/listen/port',
                schemaPath: '#/properties/listen/properties/port/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 0 },
              };
              if (vErrors === null) {
                vErrors = [err6];
              } else {
                vErrors.push(err6);
              }
              errors++;
            }
          }
        }
      } else {
        const err7 = {
          instancePath: instancePath + '/listen',
          schemaPath: '#/properties/listen/type',
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
    if (data.auth !== undefined) {
      let data4 = data.auth;
      if (data4 && typeof data4 == 'object' && !Array.isArray(data4)) {
        if (data4.keys === undefined) {
          const err8 = {
            instancePath: instancePath + '/auth',
            schemaPath: '#/properties/auth/required',
            keyword: 'required',
            params: { missingProperty: 'keys' },
          };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        for (const key2 in data4) {
          if (!(key2 === 'keys')) {
            const err9 = {
              instancePath: instancePath + '/auth',
              schemaPath: '#/properties/auth/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key2 },
            };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data4.keys !== undefined) {
          let data5 = data4.keys;
          if (Array.isArray(data5)) {
            const len0 = data5.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data6 = data5[i0];
              if (data6 && typeof data6 == 'object' && !Array.isArray(data6)) {
                if (data6.id === undefined) {
                  const err10 = {
                    instancePath: instancePath + '/auth/keys/' + i0,
                    schemaPath: '#/properties/auth/properties/keys/items/required',
                    keyword: 'required',
                    params: { missingProperty: 'id' },
                  };
                  if (vErrors === null) {
                    vErrors = [err10];
                  } else {
                    vErrors.push(err10);
                  }
                  errors++;
                }
                if (data6.key === undefined) {
                  const err11 = {
                    instancePath: instancePath + '/auth/keys/' + i0,
                    schemaPath: '#/properties/auth/properties/keys/items/required',
                    keyword: 'required',
                    params: { missingProperty: 'key' },
                  };
                  if (vErrors === null) {
                    vErrors = [err11];
                  } else {
                    vErrors.push(err11);
                  }
                  errors++;
                }
                for (const key3 in data6) {
                  if (!(key3 === 'id' || key3 === 'key' || key3 === 'tenant')) {
                    const err12 = {
                      instancePath: instancePath + '/auth/keys/' + i0,
                      schemaPath: '#/properties/auth/properties/keys/items/additionalProperties',
                      keyword: 'additionalProperties',
                      params: { additionalProperty: key3 },
                    };
                    if (vErrors === null) {
                      vErrors = [err12];
                    } else {
                      vErrors.push(err12);
                    }
                    errors++;
                  }
                }
                if (data6.id !== undefined) {
                  if (typeof data6.id !== 'string') {
                    const err13 = {
                      instancePath: instancePath + '/auth/keys/' + i0 + '/id',
                      schemaPath: '#/properties/auth/properties/keys/items/properties/id/type',
                      keyword: 'type',
                      params: { type: 'string' },
                    };
                    if (vErrors === null) {
                      vErrors = [err13];
                    } else {
                      vErrors.push(err13);
                    }
                    errors++;
                  }
                }
                if (data6.key !== undefined) {
                  let data8 = data6.key;
                  if (typeof data8 === 'string') {
                    if (!pattern0.test(data8)) {
                      const err14 = {
                        instancePath: instancePath + '/auth/keys/' + i0 + '/key',
                        schemaPath: '#/properties/auth/properties/keys/items/properties/key/pattern',
                        keyword: 'pattern',
                        params: { pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
                      };
                      if (vErrors === null) {
                        vErrors = [err14];
                      } else {
                        vErrors.push(err14);
                      }
                      errors++;
                    }
                  } else {
                    const err15 = {
                      instancePath: instancePath + '/auth/keys/' + i0 + '/key',
                      schemaPath: '#/properties/auth/properties/keys/items/properties/key/type',
                      keyword: 'type',
                      params: { type: 'string' },
                    };
                    if (vErrors === null) {
                      vErrors = [err15];
                    } else {
                      vErrors.push(err15);
                    }
                    errors++;
                  }
                }
                if (data6.tenant !== undefined) {
                  if (typeof data6.tenant !== 'string') {
                    const err16 = {
                      instancePath: instancePath + '/auth/keys/' + i0 + '/tenant',
                      schemaPath: '#/properties/auth/properties/keys/items/properties/tenant/type',
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
              } else {
                const err17 = {
                  instancePath: instancePath + '/auth/keys/' + i0,
                  schemaPath: '#/properties/auth/properties/keys/items/type',
                  keyword: 'type',
                  params: { type: 'object' },
                };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            }
          } else {
            const err18 = {
              instancePath: instancePath + '/auth/keys',
              schemaPath: '#/properties/auth/properties/keys/type',
              keyword: 'type',
              params: { type: 'array' },
            };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
      } else {
        const err19 = {
          instancePath: instancePath + '/auth',
          schemaPath: '#/properties/auth/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err19];
        } else {
          vErrors.push(err19);
        }
        errors++;
      }
    }
    if (data.configs !== undefined) {
      if (typeof data.configs !== 'string') {
        const err20 = {
          instancePath: instancePath + '/configs',
          schemaPath: '#/properties/configs/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
    }
    if (data.default_config !== undefined) {
      if (typeof data.default_config !== 'string') {
        const err21 = {
          instancePath: instancePath + '/default_config',
          schemaPath: '#/properties/default_config/type',
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
    if (data.plugins !== undefined) {
      let data12 = data.plugins;
      if (Array.isArray(data12)) {
        const len1 = data12.length;
        for (let i1 = 0; i1 < len1; i1++) {
          let data13 = data12[i1];
          if (data13 && typeof data13 == 'object' && !Array.isArray(data13)) {
            if (data13.package === undefined) {
              const err22 = {
                instancePath: instancePath + '/plugins/' + i1,
                schemaPath: '#/properties/plugins/items/required',
                keyword: 'required',
                params: { missingProperty: 'package' },
              };
              if (vErrors === null) {
                vErrors = [err22];
              } else {
                vErrors.push(err22);
              }
              errors++;
            }
            for (const key4 in data13) {
              if (!(key4 === 'package' || key4 === 'options' || key4 === 'isolate' || key4 === 'memory_mb')) {
                const err23 = {
                  instancePath: instancePath + '/plugins/' + i1,
                  schemaPath: '#/properties/plugins/items/additionalProperties',
                  keyword: 'additionalProperties',
                  params: { additionalProperty: key4 },
                };
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
            }
            if (data13.package !== undefined) {
              if (typeof data13.package !== 'string') {
                const err24 = {
                  instancePath: instancePath + '/plugins/' + i1 + '/package',
                  schemaPath: '#/properties/plugins/items/properties/package/type',
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
            if (data13.options !== undefined) {
              let data15 = data13.options;
              if (!(data15 && typeof data15 == 'object' && !Array.isArray(data15))) {
                const err25 = {
                  instancePath: instancePath + '/plugins/' + i1 + '/options',
                  schemaPath: '#/properties/plugins/items/properties/options/type',
                  keyword: 'type',
                  params: { type: 'object' },
                };
                if (vErrors === null) {
                  vErrors = [err25];
                } else {
                  vErrors.push(err25);
                }
                errors++;
              }
            }
            if (data13.isolate !== undefined) {
              if (typeof data13.isolate !== 'boolean') {
                const err26 = {
                  instancePath: instancePath + '/plugins/' + i1 + '/isolate',
                  schemaPath: '#/properties/plugins/items/properties/isolate/type',
                  keyword: 'type',
                  params: { type: 'boolean' },
                };
                if (vErrors === null) {
                  vErrors = [err26];
                } else {
                  vErrors.push(err26);
                }
                errors++;
              }
            }
            if (data13.memory_mb !== undefined) {
              let data17 = data13.memory_mb;
              if (!(typeof data17 == 'number' && !(data17 % 1) && !isNaN(data17))) {
                const err27 = {
                  instancePath: instancePath + '/plugins/' + i1 + '/memory_mb',
                  schemaPath: '#/properties/plugins/items/properties/memory_mb/type',
                  keyword: 'type',
                  params: { type: 'integer' },
                };
                if (vErrors === null) {
                  vErrors = [err27];
                } else {
                  vErrors.push(err27);
                }
                errors++;
              }
              if (typeof data17 == 'number') {
                if (data17 > 65536 || isNaN(data17)) {
                  const err28 = {
                    instancePath: instancePath + '/plugins/' + i1 + '/memory_mb',
                    schemaPath: '#/properties/plugins/items/properties/memory_mb/maximum',
                    keyword: 'maximum',
                    params: { comparison: '<=', limit: 65536 },
                  };
                  if (vErrors === null) {
                    vErrors = [err28];
                  } else {
                    vErrors.push(err28);
                  }
                  errors++;
                }
                if (data17 < 64 || isNaN(data17)) {
                  const err29 = {
                    instancePath: instancePath + '/plugins/' + i1 + '/memory_mb',
                    schemaPath: '#/properties/plugins/items/properties/memory_mb/minimum',
                    keyword: 'minimum',
                    params: { comparison: '>=', limit: 64 },
                  };
                  if (vErrors === null) {
                    vErrors = [err29];
                  } else {
                    vErrors.push(err29);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err30 = {
              instancePath: instancePath + '/plugins/' + i1,
              schemaPath: '#/properties/plugins/items/type',
              keyword: 'type',
              params: { type: 'object' },
            };
            if (vErrors === null) {
              vErrors = [err30];
            } else {
              vErrors.push(err30);
            }
            errors++;
          }
        }
      } else {
        const err31 = {
          instancePath: instancePath + '/plugins',
          schemaPath: '#/properties/plugins/type',
          keyword: 'type',
          params: { type: 'array' },
        };
        if (vErrors === null) {
          vErrors = [err31];
        } else {
          vErrors.push(err31);
        }
        errors++;
      }
    }
    if (data.providers !== undefined) {
      let data18 = data.providers;
      if (data18 && typeof data18 == 'object' && !Array.isArray(data18)) {
        for (const key5 in data18) {
          if (
            !validate22(data18[key5], {
              instancePath: instancePath + '/providers/' + key5.replace(/~/g, '~0').replace(/\//g, '~1'),
              parentData: data18,
              parentDataProperty: key5,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate22.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err32 = {
          instancePath: instancePath + '/providers',
          schemaPath: '#/properties/providers/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err32];
        } else {
          vErrors.push(err32);
        }
        errors++;
      }
    }
    if (data.virtual_keys !== undefined) {
      let data20 = data.virtual_keys;
      if (data20 && typeof data20 == 'object' && !Array.isArray(data20)) {
        for (const key6 in data20) {
          if (
            !validate22(data20[key6], {
              instancePath: instancePath + '/virtual_keys/' + key6.replace(/~/g, '~0').replace(/\//g, '~1'),
              parentData: data20,
              parentDataProperty: key6,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate22.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err33 = {
          instancePath: instancePath + '/virtual_keys',
          schemaPath: '#/properties/virtual_keys/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err33];
        } else {
          vErrors.push(err33);
        }
        errors++;
      }
    }
    if (data.guardrails !== undefined) {
      let data22 = data.guardrails;
      if (data22 && typeof data22 == 'object' && !Array.isArray(data22)) {
        for (const key7 in data22) {
          if (
            !validate25(data22[key7], {
              instancePath: instancePath + '/guardrails/' + key7.replace(/~/g, '~0').replace(/\//g, '~1'),
              parentData: data22,
              parentDataProperty: key7,
              rootData,
            })
          ) {
            vErrors = joined(vErrors, validate25.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err34 = {
          instancePath: instancePath + '/guardrails',
          schemaPath: '#/properties/guardrails/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err34];
        } else {
          vErrors.push(err34);
        }
        errors++;
      }
    }
    if (data.trusted_hosts !== undefined) {
      let data24 = data.trusted_hosts;
      if (Array.isArray(data24)) {
        const len2 = data24.length;
        for (let i2 = 0; i2 < len2; i2++) {
          if (typeof data24[i2] !== 'string') {
            const err35 = {
              instancePath: instancePath + '/trusted_hosts/' + i2,
              schemaPath: '#/properties/trusted_hosts/items/type',
              keyword: 'type',
              params: { type: 'string' },
            };
            if (vErrors === null) {
              vErrors = [err35];
            } else {
              vErrors.push(err35);
            }
            errors++;
          }
        }
      } else {
        const err36 = {
          instancePath: instancePath + '/trusted_hosts',
          schemaPath: '#/properties/trusted_hosts/type',
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
    if (data.pass_through !== undefined) {
      let data26 = data.pass_through;
      if (typeof data26 !== 'string') {
        const err37 = {
          instancePath: instancePath + '/pass_through',
          schemaPath: '#/properties/pass_through/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err37];
        } else {
          vErrors.push(err37);
        }
        errors++;
      }
      if (!(data26 === 'judged' || data26 === 'allow')) {
        const err38 = {
          instancePath: instancePath + '/pass_through',
          schemaPath: '#/properties/pass_through/enum',
          keyword: 'enum',
          params: { allowedValues: schema6.properties.pass_through.enum },
        };
        if (vErrors === null) {
          vErrors = [err38];
        } else {
          vErrors.push(err38);
        }
        errors++;
      }
    }
    if (data.judged_turns !== undefined) {
      let data27 = data.judged_turns;
      if (typeof data27 !== 'string') {
        const err39 = {
          instancePath: instancePath + '/judged_turns',
          schemaPath: '#/properties/judged_turns/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err39];
        } else {
          vErrors.push(err39);
        }
        errors++;
      }
      if (!(data27 === 'new' || data27 === 'all')) {
        const err40 = {
          instancePath: instancePath + '/judged_turns',
          schemaPath: '#/properties/judged_turns/enum',
          keyword: 'enum',
          params: { allowedValues: schema6.properties.judged_turns.enum },
        };
        if (vErrors === null) {
          vErrors = [err40];
        } else {
          vErrors.push(err40);
        }
        errors++;
      }
    }
    if (data.unjudged_members !== undefined) {
      let data28 = data.unjudged_members;
      if (typeof data28 !== 'string') {
        const err41 = {
          instancePath: instancePath + '/unjudged_members',
          schemaPath: '#/properties/unjudged_members/type',
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
      if (!(data28 === 'judge' || data28 === 'allow')) {
        const err42 = {
          instancePath: instancePath + '/unjudged_members',
          schemaPath: '#/properties/unjudged_members/enum',
          keyword: 'enum',
          params: { allowedValues: schema6.properties.unjudged_members.enum },
        };
        if (vErrors === null) {
          vErrors = [err42];
        } else {
          vErrors.push(err42);
        }
        errors++;
      }
    }
    if (data.unknown_headers !== undefined) {
      let data29 = data.unknown_headers;
      if (typeof data29 !== 'string') {
        const err43 = {
          instancePath: instancePath + '/unknown_headers',
          schemaPath: '#/properties/unknown_headers/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err43];
        } else {
          vErrors.push(err43);
        }
        errors++;
      }
      if (!(data29 === 'refuse' || data29 === 'ignore')) {
        const err44 = {
          instancePath: instancePath + '/unknown_headers',
          schemaPath: '#/properties/unknown_headers/enum',
          keyword: 'enum',
          params: { allowedValues: schema6.properties.unknown_headers.enum },
        };
        if (vErrors === null) {
          vErrors = [err44];
        } else {
          vErrors.push(err44);
        }
        errors++;
      }
    }
    if (data.on_loss !== undefined) {
      let data30 = data.on_loss;
      if (typeof data30 !== 'string') {
        const err45 = {
          instancePath: instancePath + '/on_loss',
          schemaPath: '#/properties/on_loss/type',
          keyword: 'type',
          params: { type: 'string' },
        };
        if (vErrors === null) {
          vErrors = [err45];
        } else {
          vErrors.push(err45);
        }
        errors++;
      }
      if (!(data30 === 'tell' || data30 === 'refuse')) {
        const err46 = {
          instancePath: instancePath + '/on_loss',
          schemaPath: '#/properties/on_loss/enum',
          keyword: 'enum',
          params: { allowedValues: schema6.properties.on_loss.enum },
        };
        if (vErrors === null) {
          vErrors = [err46];
        } else {
          vErrors.push(err46);
        }
        errors++;
      }
    }
    if (data.prompt_cache !== undefined) {
      let data31 = data.prompt_cache;
      if (typeof data31 !== 'string') {
        const err47 = {
          instancePath: instancePath + '/prompt_cache',
          schemaPath: '#/properties/prompt_cache/type',
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
      if (!(data31 === 'off' || data31 === 'auto')) {
        const err48 = {
          instancePath: instancePath + '/prompt_cache',
          schemaPath: '#/properties/prompt_cache/enum',
          keyword: 'enum',
          params: { allowedValues: schema6.properties.prompt_cache.enum },
        };
        if (vErrors === null) {
          vErrors = [err48];
        } else {
          vErrors.push(err48);
        }
        errors++;
      }
    }
    if (data.usage !== undefined) {
      if (typeof data.usage !== 'boolean') {
        const err49 = {
          instancePath: instancePath + '/usage',
          schemaPath: '#/properties/usage/type',
          keyword: 'type',
          params: { type: 'boolean' },
        };
        if (vErrors === null) {
          vErrors = [err49];
        } else {
          vErrors.push(err49);
        }
        errors++;
      }
    }
    if (data.prices !== undefined) {
      let data33 = data.prices;
      if (data33 && typeof data33 == 'object' && !Array.isArray(data33)) {
        for (const key8 in data33) {
          let data34 = data33[key8];
          if (data34 && typeof data34 == 'object' && !Array.isArray(data34)) {
            for (const key9 in data34) {
              if (
                !validate30(data34[key9], {
                  instancePath:
                    instancePath +
                    '/prices/' +
                    key8.replace(/~/g, '~0').replace(/\//g, '~1') +
                    '/' +
                    key9.replace(/~/g, '~0').replace(/\//g, '~1'),
                  parentData: data34,
                  parentDataProperty: key9,
                  rootData,
                })
              ) {
                vErrors = joined(vErrors, validate30.errors);
                errors = vErrors.length;
              }
            }
          } else {
            const err50 = {
              instancePath: instancePath + '/prices/' + key8.replace(/~/g, '~0').replace(/\//g, '~1'),
              schemaPath: '#/properties/prices/additionalProperties/type',
              keyword: 'type',
              params: { type: 'object' },
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
          instancePath: instancePath + '/prices',
          schemaPath: '#/properties/prices/type',
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
    if (data.cache !== undefined) {
      let data36 = data.cache;
      if (data36 && typeof data36 == 'object' && !Array.isArray(data36)) {
        for (const key10 in data36) {
          if (!(key10 === 'url' || key10 === 'max_bytes' || key10 === 'stale_if_error_s' || key10 === 'semantic')) {
            const err52 = {
              instancePath: instancePath + '/cache',
              schemaPath: '#/properties/cache/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key10 },
            };
            if (vErrors === null) {
              vErrors = [err52];
            } else {
              vErrors.push(err52);
            }
            errors++;
          }
        }
        if (data36.url !== undefined) {
          let data37 = data36.url;
          if (typeof data37 === 'string') {
            if (!pattern2.test(data37)) {
              const err53 = {
                instancePath: instancePath + '/cache/url',
                schemaPath: '#/properties/cache/properties/url/pattern',
                keyword: 'pattern',
                params: { pattern: '^(rediss?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$' },
              };
              if (vErrors === null) {
                vErrors = [err53];
              } else {
                vErrors.push(err53);
              }
              errors++;
            }
          } else {
            const err54 = {
              instancePath: instancePath + '/cache/url',
              schemaPath: '#/properties/cache/properties/url/type',
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
        if (data36.max_bytes !== undefined) {
          let data38 = data36.max_bytes;
          if (!(typeof data38 == 'number' && !(data38 % 1) && !isNaN(data38))) {
            const err55 = {
              instancePath: instancePath + '/cache/max_bytes',
              schemaPath: '#/properties/cache/properties/max_bytes/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err55];
            } else {
              vErrors.push(err55);
            }
            errors++;
          }
          if (typeof data38 == 'number') {
            if (data38 < 1 || isNaN(data38)) {
              const err56 = {
                instancePath: instancePath + '/cache/max_bytes',
                schemaPath: '#/properties/cache/properties/max_bytes/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err56];
              } else {
                vErrors.push(err56);
              }
              errors++;
            }
          }
        }
        if (data36.stale_if_error_s !== undefined) {
          let data39 = data36.stale_if_error_s;
          if (!(typeof data39 == 'number' && !(data39 % 1) && !isNaN(data39))) {
            const err57 = {
              instancePath: instancePath + '/cache/stale_if_error_s',
              schemaPath: '#/properties/cache/properties/stale_if_error_s/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err57];
            } else {
              vErrors.push(err57);
            }
            errors++;
          }
          if (typeof data39 == 'number') {
            if (data39 > 31536000 || isNaN(data39)) {
              const err58 = {
                instancePath: instancePath + '/cache/stale_if_error_s',
                schemaPath: '#/properties/cache/properties/stale_if_error_s/maximum',
                keyword: 'maximum',
                params: { comparison: '<=', limit: 31536000 },
              };
              if (vErrors === null) {
                vErrors = [err58];
              } else {
                vErrors.push(err58);
              }
              errors++;
            }
            if (data39 < 0 || isNaN(data39)) {
              const err59 = {
                instancePath: instancePath + '/cache/stale_if_error_s',
                schemaPath: '#/properties/cache/properties/stale_if_error_s/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 0 },
              };
              if (vErrors === null) {
                vErrors = [err59];
              } else {
                vErrors.push(err59);
              }
              errors++;
            }
          }
        }
        if (data36.semantic !== undefined) {
          let data40 = data36.semantic;
          if (data40 && typeof data40 == 'object' && !Array.isArray(data40)) {
            if (data40.provider === undefined) {
              const err60 = {
                instancePath: instancePath + '/cache/semantic',
                schemaPath: '#/properties/cache/properties/semantic/required',
                keyword: 'required',
                params: { missingProperty: 'provider' },
              };
              if (vErrors === null) {
                vErrors = [err60];
              } else {
                vErrors.push(err60);
              }
              errors++;
            }
            if (data40.model === undefined) {
              const err61 = {
                instancePath: instancePath + '/cache/semantic',
                schemaPath: '#/properties/cache/properties/semantic/required',
                keyword: 'required',
                params: { missingProperty: 'model' },
              };
              if (vErrors === null) {
                vErrors = [err61];
              } else {
                vErrors.push(err61);
              }
              errors++;
            }
            for (const key11 in data40) {
              if (
                !(
                  key11 === 'provider' ||
                  key11 === 'model' ||
                  key11 === 'threshold' ||
                  key11 === 'timeout_ms' ||
                  key11 === 'max_bytes' ||
                  key11 === 'url'
                )
              ) {
                const err62 = {
                  instancePath: instancePath + '/cache/semantic',
                  schemaPath: '#/properties/cache/properties/semantic/additionalProperties',
                  keyword: 'additionalProperties',
                  params: { additionalProperty: key11 },
                };
                if (vErrors === null) {
                  vErrors = [err62];
                } else {
                  vErrors.push(err62);
                }
                errors++;
              }
            }
            if (data40.provider !== undefined) {
              let data41 = data40.provider;
              if (typeof data41 === 'string') {
                if (!pattern3.test(data41)) {
                  const err63 = {
                    instancePath: instancePath + '/cache/semantic/provider',
                    schemaPath: '#/properties/cache/properties/semantic/properties/provider/pattern',
                    keyword: 'pattern',
                    params: { pattern: '^@.' },
                  };
                  if (vErrors === null) {
                    vErrors = [err63];
                  } else {
                    vErrors.push(err63);
                  }
                  errors++;
                }
              } else {
                const err64 = {
                  instancePath: instancePath + '/cache/semantic/provider',
                  schemaPath: '#/properties/cache/properties/semantic/properties/provider/type',
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
            }
            if (data40.model !== undefined) {
              let data42 = data40.model;
              if (typeof data42 === 'string') {
                if (func5(data42) < 1) {
                  const err65 = {
                    instancePath: instancePath + '/cache/semantic/model',
                    schemaPath: '#/properties/cache/properties/semantic/properties/model/minLength',
                    keyword: 'minLength',
                    params: { limit: 1 },
                  };
                  if (vErrors === null) {
                    vErrors = [err65];
                  } else {
                    vErrors.push(err65);
                  }
                  errors++;
                }
              } else {
                const err66 = {
                  instancePath: instancePath + '/cache/semantic/model',
                  schemaPath: '#/properties/cache/properties/semantic/properties/model/type',
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
            if (data40.threshold !== undefined) {
              let data43 = data40.threshold;
              if (typeof data43 == 'number') {
                if (data43 > 1 || isNaN(data43)) {
                  const err67 = {
                    instancePath: instancePath + '/cache/semantic/threshold',
                    schemaPath: '#/properties/cache/properties/semantic/properties/threshold/maximum',
                    keyword: 'maximum',
                    params: { comparison: '<=', limit: 1 },
                  };
                  if (vErrors === null) {
                    vErrors = [err67];
                  } else {
                    vErrors.push(err67);
                  }
                  errors++;
                }
                if (data43 < 0.5 || isNaN(data43)) {
                  const err68 = {
                    instancePath: instancePath + '/cache/semantic/threshold',
                    schemaPath: '#/properties/cache/properties/semantic/properties/threshold/minimum',
                    keyword: 'minimum',
                    params: { comparison: '>=', limit: 0.5 },
                  };
                  if (vErrors === null) {
                    vErrors = [err68];
                  } else {
                    vErrors.push(err68);
                  }
                  errors++;
                }
              } else {
                const err69 = {
                  instancePath: instancePath + '/cache/semantic/threshold',
                  schemaPath: '#/properties/cache/properties/semantic/properties/threshold/type',
                  keyword: 'type',
                  params: { type: 'number' },
                };
                if (vErrors === null) {
                  vErrors = [err69];
                } else {
                  vErrors.push(err69);
                }
                errors++;
              }
            }
            if (data40.timeout_ms !== undefined) {
              let data44 = data40.timeout_ms;
              if (!(typeof data44 == 'number' && !(data44 % 1) && !isNaN(data44))) {
                const err70 = {
                  instancePath: instancePath + '/cache/semantic/timeout_ms',
                  schemaPath: '#/properties/cache/properties/semantic/properties/timeout_ms/type',
                  keyword: 'type',
                  params: { type: 'integer' },
                };
                if (vErrors === null) {
                  vErrors = [err70];
                } else {
                  vErrors.push(err70);
                }
                errors++;
              }
              if (typeof data44 == 'number') {
                if (data44 > 5000 || isNaN(data44)) {
                  const err71 = {
                    instancePath: instancePath + '/cache/semantic/timeout_ms',
                    schemaPath: '#/properties/cache/properties/semantic/properties/timeout_ms/maximum',
                    keyword: 'maximum',
                    params: { comparison: '<=', limit: 5000 },
                  };
                  if (vErrors === null) {
                    vErrors = [err71];
                  } else {
                    vErrors.push(err71);
                  }
                  errors++;
                }
                if (data44 < 1 || isNaN(data44)) {
                  const err72 = {
                    instancePath: instancePath + '/cache/semantic/timeout_ms',
                    schemaPath: '#/properties/cache/properties/semantic/properties/timeout_ms/minimum',
                    keyword: 'minimum',
                    params: { comparison: '>=', limit: 1 },
                  };
                  if (vErrors === null) {
                    vErrors = [err72];
                  } else {
                    vErrors.push(err72);
                  }
                  errors++;
                }
              }
            }
            if (data40.max_bytes !== undefined) {
              let data45 = data40.max_bytes;
              if (!(typeof data45 == 'number' && !(data45 % 1) && !isNaN(data45))) {
                const err73 = {
                  instancePath: instancePath + '/cache/semantic/max_bytes',
                  schemaPath: '#/properties/cache/properties/semantic/properties/max_bytes/type',
                  keyword: 'type',
                  params: { type: 'integer' },
                };
                if (vErrors === null) {
                  vErrors = [err73];
                } else {
                  vErrors.push(err73);
                }
                errors++;
              }
              if (typeof data45 == 'number') {
                if (data45 < 1 || isNaN(data45)) {
                  const err74 = {
                    instancePath: instancePath + '/cache/semantic/max_bytes',
                    schemaPath: '#/properties/cache/properties/semantic/properties/max_bytes/minimum',
                    keyword: 'minimum',
                    params: { comparison: '>=', limit: 1 },
                  };
                  if (vErrors === null) {
                    vErrors = [err74];
                  } else {
                    vErrors.push(err74);
                  }
                  errors++;
                }
              }
            }
            if (data40.url !== undefined) {
              let data46 = data40.url;
              if (typeof data46 === 'string') {
                if (!pattern4.test(data46)) {
                  const err75 = {
                    instancePath: instancePath + '/cache/semantic/url',
                    schemaPath: '#/properties/cache/properties/semantic/properties/url/pattern',
                    keyword: 'pattern',
                    params: {
                      pattern: '^(postgres(ql)?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$',
                    },
                  };
                  if (vErrors === null) {
                    vErrors = [err75];
                  } else {
                    vErrors.push(err75);
                  }
                  errors++;
                }
              } else {
                const err76 = {
                  instancePath: instancePath + '/cache/semantic/url',
                  schemaPath: '#/properties/cache/properties/semantic/properties/url/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err76];
                } else {
                  vErrors.push(err76);
                }
                errors++;
              }
            }
          } else {
            const err77 = {
              instancePath: instancePath + '/cache/semantic',
              schemaPath: '#/properties/cache/properties/semantic/type',
              keyword: 'type',
              params: { type: 'object' },
            };
            if (vErrors === null) {
              vErrors = [err77];
            } else {
              vErrors.push(err77);
            }
            errors++;
          }
        }
      } else {
        const err78 = {
          instancePath: instancePath + '/cache',
          schemaPath: '#/properties/cache/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err78];
        } else {
          vErrors.push(err78);
        }
        errors++;
      }
    }
    if (data.metrics !== undefined) {
      let data47 = data.metrics;
      if (typeof data47 !== 'boolean' && !(data47 && typeof data47 == 'object' && !Array.isArray(data47))) {
        const err79 = {
          instancePath: instancePath + '/metrics',
          schemaPath: '#/properties/metrics/type',
          keyword: 'type',
          params: { type: schema6.properties.metrics.type },
        };
        if (vErrors === null) {
          vErrors = [err79];
        } else {
          vErrors.push(err79);
        }
        errors++;
      }
      if (data47 && typeof data47 == 'object' && !Array.isArray(data47)) {
        for (const key12 in data47) {
          if (!(key12 === 'tokens' || key12 === 'port' || key12 === 'host')) {
            const err80 = {
              instancePath: instancePath + '/metrics',
              schemaPath: '#/properties/metrics/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key12 },
            };
            if (vErrors === null) {
              vErrors = [err80];
            } else {
              vErrors.push(err80);
            }
            errors++;
          }
        }
        if (data47.tokens !== undefined) {
          if (typeof data47.tokens !== 'boolean') {
            const err81 = {
              instancePath: instancePath + '/metrics/tokens',
              schemaPath: '#/properties/metrics/properties/tokens/type',
              keyword: 'type',
              params: { type: 'boolean' },
            };
            if (vErrors === null) {
              vErrors = [err81];
            } else {
              vErrors.push(err81);
            }
            errors++;
          }
        }
        if (data47.port !== undefined) {
          let data49 = data47.port;
          if (!(typeof data49 == 'number' && !(data49 % 1) && !isNaN(data49))) {
            const err82 = {
              instancePath: instancePath + '/metrics/port',
              schemaPath: '#/properties/metrics/properties/port/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err82];
            } else {
              vErrors.push(err82);
            }
            errors++;
          }
          if (typeof data49 == 'number') {
            if (data49 > 65535 || isNaN(data49)) {
              const err83 = {
                instancePath: instancePath + '/metrics/port',
                schemaPath: '#/properties/metrics/properties/port/maximum',
                keyword: 'maximum',
                params: { comparison: '<=', limit: 65535 },
              };
              if (vErrors === null) {
                vErrors = [err83];
              } else {
                vErrors.push(err83);
              }
              errors++;
            }
            if (data49 < 0 || isNaN(data49)) {
              const err84 = {
                instancePath: instancePath + '/metrics/port',
                schemaPath: '#/properties/metrics/properties/port/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 0 },
              };
              if (vErrors === null) {
                vErrors = [err84];
              } else {
                vErrors.push(err84);
              }
              errors++;
            }
          }
        }
        if (data47.host !== undefined) {
          if (typeof data47.host !== 'string') {
            const err85 = {
              instancePath: instancePath + '/metrics/host',
              schemaPath: '#/properties/metrics/properties/host/type',
              keyword: 'type',
              params: { type: 'string' },
            };
            if (vErrors === null) {
              vErrors = [err85];
            } else {
              vErrors.push(err85);
            }
            errors++;
          }
        }
      }
    }
    if (data.telemetry !== undefined) {
      let data51 = data.telemetry;
      if (data51 && typeof data51 == 'object' && !Array.isArray(data51)) {
        if (data51.otlp === undefined) {
          const err86 = {
            instancePath: instancePath + '/telemetry',
            schemaPath: '#/properties/telemetry/required',
            keyword: 'required',
            params: { missingProperty: 'otlp' },
          };
          if (vErrors === null) {
            vErrors = [err86];
          } else {
            vErrors.push(err86);
          }
          errors++;
        }
        for (const key13 in data51) {
          if (
            !(
              key13 === 'otlp' ||
              key13 === 'service_name' ||
              key13 === 'traces' ||
              key13 === 'metrics' ||
              key13 === 'sample_ratio'
            )
          ) {
            const err87 = {
              instancePath: instancePath + '/telemetry',
              schemaPath: '#/properties/telemetry/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key13 },
            };
            if (vErrors === null) {
              vErrors = [err87];
            } else {
              vErrors.push(err87);
            }
            errors++;
          }
        }
        if (data51.otlp !== undefined) {
          let data52 = data51.otlp;
          if (data52 && typeof data52 == 'object' && !Array.isArray(data52)) {
            if (data52.url === undefined) {
              const err88 = {
                instancePath: instancePath + '/telemetry/otlp',
                schemaPath: '#/properties/telemetry/properties/otlp/required',
                keyword: 'required',
                params: { missingProperty: 'url' },
              };
              if (vErrors === null) {
                vErrors = [err88];
              } else {
                vErrors.push(err88);
              }
              errors++;
            }
            for (const key14 in data52) {
              if (!(key14 === 'url' || key14 === 'headers')) {
                const err89 = {
                  instancePath: instancePath + '/telemetry/otlp',
                  schemaPath: '#/properties/telemetry/properties/otlp/additionalProperties',
                  keyword: 'additionalProperties',
                  params: { additionalProperty: key14 },
                };
                if (vErrors === null) {
                  vErrors = [err89];
                } else {
                  vErrors.push(err89);
                }
                errors++;
              }
            }
            if (data52.url !== undefined) {
              let data53 = data52.url;
              if (typeof data53 === 'string') {
                if (!pattern5.test(data53)) {
                  const err90 = {
                    instancePath: instancePath + '/telemetry/otlp/url',
                    schemaPath: '#/properties/telemetry/properties/otlp/properties/url/pattern',
                    keyword: 'pattern',
                    params: { pattern: '^(https?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$' },
                  };
                  if (vErrors === null) {
                    vErrors = [err90];
                  } else {
                    vErrors.push(err90);
                  }
                  errors++;
                }
              } else {
                const err91 = {
                  instancePath: instancePath + '/telemetry/otlp/url',
                  schemaPath: '#/properties/telemetry/properties/otlp/properties/url/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err91];
                } else {
                  vErrors.push(err91);
                }
                errors++;
              }
            }
            if (data52.headers !== undefined) {
              let data54 = data52.headers;
              if (data54 && typeof data54 == 'object' && !Array.isArray(data54)) {
                for (const key15 in data54) {
                  let data55 = data54[key15];
                  if (typeof data55 === 'string') {
                    if (!pattern0.test(data55)) {
                      const err92 = {
                        instancePath:
                          instancePath + '/telemetry/otlp/headers/' + key15.replace(/~/g, '~0').replace(/\//g, '~1'),
                        schemaPath:
                          '#/properties/telemetry/properties/otlp/properties/headers/additionalProperties/pattern',
                        keyword: 'pattern',
                        params: { pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
                      };
                      if (vErrors === null) {
                        vErrors = [err92];
                      } else {
                        vErrors.push(err92);
                      }
                      errors++;
                    }
                  } else {
                    const err93 = {
                      instancePath:
                        instancePath + '/telemetry/otlp/headers/' + key15.replace(/~/g, '~0').replace(/\//g, '~1'),
                      schemaPath: '#/properties/telemetry/properties/otlp/properties/headers/additionalProperties/type',
                      keyword: 'type',
                      params: { type: 'string' },
                    };
                    if (vErrors === null) {
                      vErrors = [err93];
                    } else {
                      vErrors.push(err93);
                    }
                    errors++;
                  }
                }
              } else {
                const err94 = {
                  instancePath: instancePath + '/telemetry/otlp/headers',
                  schemaPath: '#/properties/telemetry/properties/otlp/properties/headers/type',
                  keyword: 'type',
                  params: { type: 'object' },
                };
                if (vErrors === null) {
                  vErrors = [err94];
                } else {
                  vErrors.push(err94);
                }
                errors++;
              }
            }
          } else {
            const err95 = {
              instancePath: instancePath + '/telemetry/otlp',
              schemaPath: '#/properties/telemetry/properties/otlp/type',
              keyword: 'type',
              params: { type: 'object' },
            };
            if (vErrors === null) {
              vErrors = [err95];
            } else {
              vErrors.push(err95);
            }
            errors++;
          }
        }
        if (data51.service_name !== undefined) {
          let data56 = data51.service_name;
          if (typeof data56 === 'string') {
            if (func5(data56) < 1) {
              const err96 = {
                instancePath: instancePath + '/telemetry/service_name',
                schemaPath: '#/properties/telemetry/properties/service_name/minLength',
                keyword: 'minLength',
                params: { limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err96];
              } else {
                vErrors.push(err96);
              }
              errors++;
            }
          } else {
            const err97 = {
              instancePath: instancePath + '/telemetry/service_name',
              schemaPath: '#/properties/telemetry/properties/service_name/type',
              keyword: 'type',
              params: { type: 'string' },
            };
            if (vErrors === null) {
              vErrors = [err97];
            } else {
              vErrors.push(err97);
            }
            errors++;
          }
        }
        if (data51.traces !== undefined) {
          if (typeof data51.traces !== 'boolean') {
            const err98 = {
              instancePath: instancePath + '/telemetry/traces',
              schemaPath: '#/properties/telemetry/properties/traces/type',
              keyword: 'type',
              params: { type: 'boolean' },
            };
            if (vErrors === null) {
              vErrors = [err98];
            } else {
              vErrors.push(err98);
            }
            errors++;
          }
        }
        if (data51.metrics !== undefined) {
          if (typeof data51.metrics !== 'boolean') {
            const err99 = {
              instancePath: instancePath + '/telemetry/metrics',
              schemaPath: '#/properties/telemetry/properties/metrics/type',
              keyword: 'type',
              params: { type: 'boolean' },
            };
            if (vErrors === null) {
              vErrors = [err99];
            } else {
              vErrors.push(err99);
            }
            errors++;
          }
        }
        if (data51.sample_ratio !== undefined) {
          let data59 = data51.sample_ratio;
          if (typeof data59 == 'number') {
            if (data59 > 1 || isNaN(data59)) {
              const err100 = {
                instancePath: instancePath + '/telemetry/sample_ratio',
                schemaPath: '#/properties/telemetry/properties/sample_ratio/maximum',
                keyword: 'maximum',
                params: { comparison: '<=', limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err100];
              } else {
                vErrors.push(err100);
              }
              errors++;
            }
            if (data59 < 0 || isNaN(data59)) {
              const err101 = {
                instancePath: instancePath + '/telemetry/sample_ratio',
                schemaPath: '#/properties/telemetry/properties/sample_ratio/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 0 },
              };
              if (vErrors === null) {
                vErrors = [err101];
              } else {
                vErrors.push(err101);
              }
              errors++;
            }
          } else {
            const err102 = {
              instancePath: instancePath + '/telemetry/sample_ratio',
              schemaPath: '#/properties/telemetry/properties/sample_ratio/type',
              keyword: 'type',
              params: { type: 'number' },
            };
            if (vErrors === null) {
              vErrors = [err102];
            } else {
              vErrors.push(err102);
            }
            errors++;
          }
        }
      } else {
        const err103 = {
          instancePath: instancePath + '/telemetry',
          schemaPath: '#/properties/telemetry/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err103];
        } else {
          vErrors.push(err103);
        }
        errors++;
      }
    }
    if (data.store !== undefined) {
      let data60 = data.store;
      if (data60 && typeof data60 == 'object' && !Array.isArray(data60)) {
        if (data60.url === undefined) {
          const err104 = {
            instancePath: instancePath + '/store',
            schemaPath: '#/properties/store/required',
            keyword: 'required',
            params: { missingProperty: 'url' },
          };
          if (vErrors === null) {
            vErrors = [err104];
          } else {
            vErrors.push(err104);
          }
          errors++;
        }
        for (const key16 in data60) {
          if (
            !(
              key16 === 'url' ||
              key16 === 'master_key' ||
              key16 === 'stale_auth_ms' ||
              key16 === 'limits' ||
              key16 === 'files' ||
              key16 === 'audit' ||
              key16 === 'ledger'
            )
          ) {
            const err105 = {
              instancePath: instancePath + '/store',
              schemaPath: '#/properties/store/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key16 },
            };
            if (vErrors === null) {
              vErrors = [err105];
            } else {
              vErrors.push(err105);
            }
            errors++;
          }
        }
        if (data60.url !== undefined) {
          let data61 = data60.url;
          if (typeof data61 === 'string') {
            if (!pattern7.test(data61)) {
              const err106 = {
                instancePath: instancePath + '/store/url',
                schemaPath: '#/properties/store/properties/url/pattern',
                keyword: 'pattern',
                params: {
                  pattern:
                    '^(\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}|postgres(ql)?://[^@\\s]+|(?!\\$\\{)(?![a-z]+://).+)$',
                },
              };
              if (vErrors === null) {
                vErrors = [err106];
              } else {
                vErrors.push(err106);
              }
              errors++;
            }
          } else {
            const err107 = {
              instancePath: instancePath + '/store/url',
              schemaPath: '#/properties/store/properties/url/type',
              keyword: 'type',
              params: { type: 'string' },
            };
            if (vErrors === null) {
              vErrors = [err107];
            } else {
              vErrors.push(err107);
            }
            errors++;
          }
        }
        if (data60.master_key !== undefined) {
          let data62 = data60.master_key;
          if (typeof data62 === 'string') {
            if (!pattern0.test(data62)) {
              const err108 = {
                instancePath: instancePath + '/store/master_key',
                schemaPath: '#/properties/store/properties/master_key/pattern',
                keyword: 'pattern',
                params: { pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
              };
              if (vErrors === null) {
                vErrors = [err108];
              } else {
                vErrors.push(err108);
              }
              errors++;
            }
          } else {
            const err109 = {
              instancePath: instancePath + '/store/master_key',
              schemaPath: '#/properties/store/properties/master_key/type',
              keyword: 'type',
              params: { type: 'string' },
            };
            if (vErrors === null) {
              vErrors = [err109];
            } else {
              vErrors.push(err109);
            }
            errors++;
          }
        }
        if (data60.stale_auth_ms !== undefined) {
          let data63 = data60.stale_auth_ms;
          if (!(typeof data63 == 'number' && !(data63 % 1) && !isNaN(data63))) {
            const err110 = {
              instancePath: instancePath + '/store/stale_auth_ms',
              schemaPath: '#/properties/store/properties/stale_auth_ms/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err110];
            } else {
              vErrors.push(err110);
            }
            errors++;
          }
          if (typeof data63 == 'number') {
            if (data63 > 86400000 || isNaN(data63)) {
              const err111 = {
                instancePath: instancePath + '/store/stale_auth_ms',
                schemaPath: '#/properties/store/properties/stale_auth_ms/maximum',
                keyword: 'maximum',
                params: { comparison: '<=', limit: 86400000 },
              };
              if (vErrors === null) {
                vErrors = [err111];
              } else {
                vErrors.push(err111);
              }
              errors++;
            }
            if (data63 < 0 || isNaN(data63)) {
              const err112 = {
                instancePath: instancePath + '/store/stale_auth_ms',
                schemaPath: '#/properties/store/properties/stale_auth_ms/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 0 },
              };
              if (vErrors === null) {
                vErrors = [err112];
              } else {
                vErrors.push(err112);
              }
              errors++;
            }
          }
        }
        if (data60.limits !== undefined) {
          let data64 = data60.limits;
          if (data64 && typeof data64 == 'object' && !Array.isArray(data64)) {
            if (data64.url === undefined) {
              const err113 = {
                instancePath: instancePath + '/store/limits',
                schemaPath: '#/properties/store/properties/limits/required',
                keyword: 'required',
                params: { missingProperty: 'url' },
              };
              if (vErrors === null) {
                vErrors = [err113];
              } else {
                vErrors.push(err113);
              }
              errors++;
            }
            for (const key17 in data64) {
              if (!(key17 === 'url')) {
                const err114 = {
                  instancePath: instancePath + '/store/limits',
                  schemaPath: '#/properties/store/properties/limits/additionalProperties',
                  keyword: 'additionalProperties',
                  params: { additionalProperty: key17 },
                };
                if (vErrors === null) {
                  vErrors = [err114];
                } else {
                  vErrors.push(err114);
                }
                errors++;
              }
            }
            if (data64.url !== undefined) {
              let data65 = data64.url;
              if (typeof data65 === 'string') {
                if (!pattern2.test(data65)) {
                  const err115 = {
                    instancePath: instancePath + '/store/limits/url',
                    schemaPath: '#/properties/store/properties/limits/properties/url/pattern',
                    keyword: 'pattern',
                    params: { pattern: '^(rediss?://[^@\\s]+|\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\})$' },
                  };
                  if (vErrors === null) {
                    vErrors = [err115];
                  } else {
                    vErrors.push(err115);
                  }
                  errors++;
                }
              } else {
                const err116 = {
                  instancePath: instancePath + '/store/limits/url',
                  schemaPath: '#/properties/store/properties/limits/properties/url/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err116];
                } else {
                  vErrors.push(err116);
                }
                errors++;
              }
            }
          } else {
            const err117 = {
              instancePath: instancePath + '/store/limits',
              schemaPath: '#/properties/store/properties/limits/type',
              keyword: 'type',
              params: { type: 'object' },
            };
            if (vErrors === null) {
              vErrors = [err117];
            } else {
              vErrors.push(err117);
            }
            errors++;
          }
        }
        if (data60.files !== undefined) {
          let data66 = data60.files;
          if (data66 && typeof data66 == 'object' && !Array.isArray(data66)) {
            for (const key18 in data66) {
              if (!func2.call(schema6.properties.store.properties.files.properties, key18)) {
                const err118 = {
                  instancePath: instancePath + '/store/files',
                  schemaPath: '#/properties/store/properties/files/additionalProperties',
                  keyword: 'additionalProperties',
                  params: { additionalProperty: key18 },
                };
                if (vErrors === null) {
                  vErrors = [err118];
                } else {
                  vErrors.push(err118);
                }
                errors++;
              }
            }
            if (data66.folder !== undefined) {
              let data67 = data66.folder;
              if (typeof data67 === 'string') {
                if (func5(data67) < 1) {
                  const err119 = {
                    instancePath: instancePath + '/store/files/folder',
                    schemaPath: '#/properties/store/properties/files/properties/folder/minLength',
                    keyword: 'minLength',
                    params: { limit: 1 },
                  };
                  if (vErrors === null) {
                    vErrors = [err119];
                  } else {
                    vErrors.push(err119);
                  }
                  errors++;
                }
              } else {
                const err120 = {
                  instancePath: instancePath + '/store/files/folder',
                  schemaPath: '#/properties/store/properties/files/properties/folder/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err120];
                } else {
                  vErrors.push(err120);
                }
                errors++;
              }
            }
            if (data66.url !== undefined) {
              let data68 = data66.url;
              if (typeof data68 === 'string') {
                if (!pattern10.test(data68)) {
                  const err121 = {
                    instancePath: instancePath + '/store/files/url',
                    schemaPath: '#/properties/store/properties/files/properties/url/pattern',
                    keyword: 'pattern',
                    params: { pattern: '^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._~-]+)*/?$' },
                  };
                  if (vErrors === null) {
                    vErrors = [err121];
                  } else {
                    vErrors.push(err121);
                  }
                  errors++;
                }
              } else {
                const err122 = {
                  instancePath: instancePath + '/store/files/url',
                  schemaPath: '#/properties/store/properties/files/properties/url/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err122];
                } else {
                  vErrors.push(err122);
                }
                errors++;
              }
            }
            if (data66.endpoint !== undefined) {
              let data69 = data66.endpoint;
              if (typeof data69 === 'string') {
                if (!pattern11.test(data69)) {
                  const err123 = {
                    instancePath: instancePath + '/store/files/endpoint',
                    schemaPath: '#/properties/store/properties/files/properties/endpoint/pattern',
                    keyword: 'pattern',
                    params: { pattern: '^https?://[^@/?#\\s]+/?$' },
                  };
                  if (vErrors === null) {
                    vErrors = [err123];
                  } else {
                    vErrors.push(err123);
                  }
                  errors++;
                }
              } else {
                const err124 = {
                  instancePath: instancePath + '/store/files/endpoint',
                  schemaPath: '#/properties/store/properties/files/properties/endpoint/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err124];
                } else {
                  vErrors.push(err124);
                }
                errors++;
              }
            }
            if (data66.region !== undefined) {
              let data70 = data66.region;
              if (typeof data70 === 'string') {
                if (!pattern12.test(data70)) {
                  const err125 = {
                    instancePath: instancePath + '/store/files/region',
                    schemaPath: '#/properties/store/properties/files/properties/region/pattern',
                    keyword: 'pattern',
                    params: { pattern: '^[a-z0-9-]+$' },
                  };
                  if (vErrors === null) {
                    vErrors = [err125];
                  } else {
                    vErrors.push(err125);
                  }
                  errors++;
                }
              } else {
                const err126 = {
                  instancePath: instancePath + '/store/files/region',
                  schemaPath: '#/properties/store/properties/files/properties/region/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err126];
                } else {
                  vErrors.push(err126);
                }
                errors++;
              }
            }
            if (data66.access_key_id !== undefined) {
              let data71 = data66.access_key_id;
              if (typeof data71 === 'string') {
                if (!pattern0.test(data71)) {
                  const err127 = {
                    instancePath: instancePath + '/store/files/access_key_id',
                    schemaPath: '#/properties/store/properties/files/properties/access_key_id/pattern',
                    keyword: 'pattern',
                    params: { pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
                  };
                  if (vErrors === null) {
                    vErrors = [err127];
                  } else {
                    vErrors.push(err127);
                  }
                  errors++;
                }
              } else {
                const err128 = {
                  instancePath: instancePath + '/store/files/access_key_id',
                  schemaPath: '#/properties/store/properties/files/properties/access_key_id/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err128];
                } else {
                  vErrors.push(err128);
                }
                errors++;
              }
            }
            if (data66.secret_access_key !== undefined) {
              let data72 = data66.secret_access_key;
              if (typeof data72 === 'string') {
                if (!pattern0.test(data72)) {
                  const err129 = {
                    instancePath: instancePath + '/store/files/secret_access_key',
                    schemaPath: '#/properties/store/properties/files/properties/secret_access_key/pattern',
                    keyword: 'pattern',
                    params: { pattern: '^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^{}]+)\\}$' },
                  };
                  if (vErrors === null) {
                    vErrors = [err129];
                  } else {
                    vErrors.push(err129);
                  }
                  errors++;
                }
              } else {
                const err130 = {
                  instancePath: instancePath + '/store/files/secret_access_key',
                  schemaPath: '#/properties/store/properties/files/properties/secret_access_key/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err130];
                } else {
                  vErrors.push(err130);
                }
                errors++;
              }
            }
            if (data66.path_style !== undefined) {
              if (typeof data66.path_style !== 'boolean') {
                const err131 = {
                  instancePath: instancePath + '/store/files/path_style',
                  schemaPath: '#/properties/store/properties/files/properties/path_style/type',
                  keyword: 'type',
                  params: { type: 'boolean' },
                };
                if (vErrors === null) {
                  vErrors = [err131];
                } else {
                  vErrors.push(err131);
                }
                errors++;
              }
            }
            if (data66.max_bytes !== undefined) {
              let data74 = data66.max_bytes;
              if (!(typeof data74 == 'number' && !(data74 % 1) && !isNaN(data74))) {
                const err132 = {
                  instancePath: instancePath + '/store/files/max_bytes',
                  schemaPath: '#/properties/store/properties/files/properties/max_bytes/type',
                  keyword: 'type',
                  params: { type: 'integer' },
                };
                if (vErrors === null) {
                  vErrors = [err132];
                } else {
                  vErrors.push(err132);
                }
                errors++;
              }
              if (typeof data74 == 'number') {
                if (data74 > 5368709120 || isNaN(data74)) {
                  const err133 = {
                    instancePath: instancePath + '/store/files/max_bytes',
                    schemaPath: '#/properties/store/properties/files/properties/max_bytes/maximum',
                    keyword: 'maximum',
                    params: { comparison: '<=', limit: 5368709120 },
                  };
                  if (vErrors === null) {
                    vErrors = [err133];
                  } else {
                    vErrors.push(err133);
                  }
                  errors++;
                }
                if (data74 < 1 || isNaN(data74)) {
                  const err134 = {
                    instancePath: instancePath + '/store/files/max_bytes',
                    schemaPath: '#/properties/store/properties/files/properties/max_bytes/minimum',
                    keyword: 'minimum',
                    params: { comparison: '>=', limit: 1 },
                  };
                  if (vErrors === null) {
                    vErrors = [err134];
                  } else {
                    vErrors.push(err134);
                  }
                  errors++;
                }
              }
            }
            if (data66.quota_bytes !== undefined) {
              let data75 = data66.quota_bytes;
              if (!(typeof data75 == 'number' && !(data75 % 1) && !isNaN(data75))) {
                const err135 = {
                  instancePath: instancePath + '/store/files/quota_bytes',
                  schemaPath: '#/properties/store/properties/files/properties/quota_bytes/type',
                  keyword: 'type',
                  params: { type: 'integer' },
                };
                if (vErrors === null) {
                  vErrors = [err135];
                } else {
                  vErrors.push(err135);
                }
                errors++;
              }
              if (typeof data75 == 'number') {
                if (data75 > 1125899906842624 || isNaN(data75)) {
                  const err136 = {
                    instancePath: instancePath + '/store/files/quota_bytes',
                    schemaPath: '#/properties/store/properties/files/properties/quota_bytes/maximum',
                    keyword: 'maximum',
                    params: { comparison: '<=', limit: 1125899906842624 },
                  };
                  if (vErrors === null) {
                    vErrors = [err136];
                  } else {
                    vErrors.push(err136);
                  }
                  errors++;
                }
                if (data75 < 1 || isNaN(data75)) {
                  const err137 = {
                    instancePath: instancePath + '/store/files/quota_bytes',
                    schemaPath: '#/properties/store/properties/files/properties/quota_bytes/minimum',
                    keyword: 'minimum',
                    params: { comparison: '>=', limit: 1 },
                  };
                  if (vErrors === null) {
                    vErrors = [err137];
                  } else {
                    vErrors.push(err137);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err138 = {
              instancePath: instancePath + '/store/files',
              schemaPath: '#/properties/store/properties/files/type',
              keyword: 'type',
              params: { type: 'object' },
            };
            if (vErrors === null) {
              vErrors = [err138];
            } else {
              vErrors.push(err138);
            }
            errors++;
          }
        }
        if (data60.audit !== undefined) {
          let data76 = data60.audit;
          if (data76 && typeof data76 == 'object' && !Array.isArray(data76)) {
            for (const key19 in data76) {
              if (!(key19 === 'keep_days')) {
                const err139 = {
                  instancePath: instancePath + '/store/audit',
                  schemaPath: '#/properties/store/properties/audit/additionalProperties',
                  keyword: 'additionalProperties',
                  params: { additionalProperty: key19 },
                };
                if (vErrors === null) {
                  vErrors = [err139];
                } else {
                  vErrors.push(err139);
                }
                errors++;
              }
            }
            if (data76.keep_days !== undefined) {
              let data77 = data76.keep_days;
              if (!(typeof data77 == 'number' && !(data77 % 1) && !isNaN(data77))) {
                const err140 = {
                  instancePath: instancePath + '/store/audit/keep_days',
                  schemaPath: '#/properties/store/properties/audit/properties/keep_days/type',
                  keyword: 'type',
                  params: { type: 'integer' },
                };
                if (vErrors === null) {
                  vErrors = [err140];
                } else {
                  vErrors.push(err140);
                }
                errors++;
              }
              if (typeof data77 == 'number') {
                if (data77 > 36500 || isNaN(data77)) {
                  const err141 = {
                    instancePath: instancePath + '/store/audit/keep_days',
                    schemaPath: '#/properties/store/properties/audit/properties/keep_days/maximum',
                    keyword: 'maximum',
                    params: { comparison: '<=', limit: 36500 },
                  };
                  if (vErrors === null) {
                    vErrors = [err141];
                  } else {
                    vErrors.push(err141);
                  }
                  errors++;
                }
                if (data77 < 1 || isNaN(data77)) {
                  const err142 = {
                    instancePath: instancePath + '/store/audit/keep_days',
                    schemaPath: '#/properties/store/properties/audit/properties/keep_days/minimum',
                    keyword: 'minimum',
                    params: { comparison: '>=', limit: 1 },
                  };
                  if (vErrors === null) {
                    vErrors = [err142];
                  } else {
                    vErrors.push(err142);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err143 = {
              instancePath: instancePath + '/store/audit',
              schemaPath: '#/properties/store/properties/audit/type',
              keyword: 'type',
              params: { type: 'object' },
            };
            if (vErrors === null) {
              vErrors = [err143];
            } else {
              vErrors.push(err143);
            }
            errors++;
          }
        }
        if (data60.ledger !== undefined) {
          let data78 = data60.ledger;
          if (typeof data78 !== 'boolean' && !(data78 && typeof data78 == 'object' && !Array.isArray(data78))) {
            const err144 = {
              instancePath: instancePath + '/store/ledger',
              schemaPath: '#/properties/store/properties/ledger/type',
              keyword: 'type',
              params: { type: schema6.properties.store.properties.ledger.type },
            };
            if (vErrors === null) {
              vErrors = [err144];
            } else {
              vErrors.push(err144);
            }
            errors++;
          }
          if (data78 && typeof data78 == 'object' && !Array.isArray(data78)) {
            for (const key20 in data78) {
              if (!(key20 === 'keep_days' || key20 === 'keep_mb')) {
                const err145 = {
                  instancePath: instancePath + '/store/ledger',
                  schemaPath: '#/properties/store/properties/ledger/additionalProperties',
                  keyword: 'additionalProperties',
                  params: { additionalProperty: key20 },
                };
                if (vErrors === null) {
                  vErrors = [err145];
                } else {
                  vErrors.push(err145);
                }
                errors++;
              }
            }
            if (data78.keep_days !== undefined) {
              let data79 = data78.keep_days;
              if (!(typeof data79 == 'number' && !(data79 % 1) && !isNaN(data79))) {
                const err146 = {
                  instancePath: instancePath + '/store/ledger/keep_days',
                  schemaPath: '#/properties/store/properties/ledger/properties/keep_days/type',
                  keyword: 'type',
                  params: { type: 'integer' },
                };
                if (vErrors === null) {
                  vErrors = [err146];
                } else {
                  vErrors.push(err146);
                }
                errors++;
              }
              if (typeof data79 == 'number') {
                if (data79 > 36500 || isNaN(data79)) {
                  const err147 = {
                    instancePath: instancePath + '/store/ledger/keep_days',
                    schemaPath: '#/properties/store/properties/ledger/properties/keep_days/maximum',
                    keyword: 'maximum',
                    params: { comparison: '<=', limit: 36500 },
                  };
                  if (vErrors === null) {
                    vErrors = [err147];
                  } else {
                    vErrors.push(err147);
                  }
                  errors++;
                }
                if (data79 < 1 || isNaN(data79)) {
                  const err148 = {
                    instancePath: instancePath + '/store/ledger/keep_days',
                    schemaPath: '#/properties/store/properties/ledger/properties/keep_days/minimum',
                    keyword: 'minimum',
                    params: { comparison: '>=', limit: 1 },
                  };
                  if (vErrors === null) {
                    vErrors = [err148];
                  } else {
                    vErrors.push(err148);
                  }
                  errors++;
                }
              }
            }
            if (data78.keep_mb !== undefined) {
              let data80 = data78.keep_mb;
              if (!(typeof data80 == 'number' && !(data80 % 1) && !isNaN(data80))) {
                const err149 = {
                  instancePath: instancePath + '/store/ledger/keep_mb',
                  schemaPath: '#/properties/store/properties/ledger/properties/keep_mb/type',
                  keyword: 'type',
                  params: { type: 'integer' },
                };
                if (vErrors === null) {
                  vErrors = [err149];
                } else {
                  vErrors.push(err149);
                }
                errors++;
              }
              if (typeof data80 == 'number') {
                if (data80 > 1048576 || isNaN(data80)) {
                  const err150 = {
                    instancePath: instancePath + '/store/ledger/keep_mb',
                    schemaPath: '#/properties/store/properties/ledger/properties/keep_mb/maximum',
                    keyword: 'maximum',
                    params: { comparison: '<=', limit: 1048576 },
                  };
                  if (vErrors === null) {
                    vErrors = [err150];
                  } else {
                    vErrors.push(err150);
                  }
                  errors++;
                }
                if (data80 < 8 || isNaN(data80)) {
                  const err151 = {
                    instancePath: instancePath + '/store/ledger/keep_mb',
                    schemaPath: '#/properties/store/properties/ledger/properties/keep_mb/minimum',
                    keyword: 'minimum',
                    params: { comparison: '>=', limit: 8 },
                  };
                  if (vErrors === null) {
                    vErrors = [err151];
                  } else {
                    vErrors.push(err151);
                  }
                  errors++;
                }
              }
            }
          }
        }
      } else {
        const err152 = {
          instancePath: instancePath + '/store',
          schemaPath: '#/properties/store/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err152];
        } else {
          vErrors.push(err152);
        }
        errors++;
      }
    }
    if (data.log !== undefined) {
      let data81 = data.log;
      if (typeof data81 !== 'boolean' && !(data81 && typeof data81 == 'object' && !Array.isArray(data81))) {
        const err153 = {
          instancePath: instancePath + '/log',
          schemaPath: '#/properties/log/type',
          keyword: 'type',
          params: { type: schema6.properties.log.type },
        };
        if (vErrors === null) {
          vErrors = [err153];
        } else {
          vErrors.push(err153);
        }
        errors++;
      }
      if (data81 && typeof data81 == 'object' && !Array.isArray(data81)) {
        for (const key21 in data81) {
          if (
            !(
              key21 === 'bodies' ||
              key21 === 'body_bytes' ||
              key21 === 'redact' ||
              key21 === 'headers' ||
              key21 === 'keep_days' ||
              key21 === 'keep_mb'
            )
          ) {
            const err154 = {
              instancePath: instancePath + '/log',
              schemaPath: '#/properties/log/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key21 },
            };
            if (vErrors === null) {
              vErrors = [err154];
            } else {
              vErrors.push(err154);
            }
            errors++;
          }
        }
        if (data81.bodies !== undefined) {
          if (typeof data81.bodies !== 'boolean') {
            const err155 = {
              instancePath: instancePath + '/log/bodies',
              schemaPath: '#/properties/log/properties/bodies/type',
              keyword: 'type',
              params: { type: 'boolean' },
            };
            if (vErrors === null) {
              vErrors = [err155];
            } else {
              vErrors.push(err155);
            }
            errors++;
          }
        }
        if (data81.body_bytes !== undefined) {
          let data83 = data81.body_bytes;
          if (!(typeof data83 == 'number' && !(data83 % 1) && !isNaN(data83))) {
            const err156 = {
              instancePath: instancePath + '/log/body_bytes',
              schemaPath: '#/properties/log/properties/body_bytes/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err156];
            } else {
              vErrors.push(err156);
            }
            errors++;
          }
          if (typeof data83 == 'number') {
            if (data83 > 1048576 || isNaN(data83)) {
              const err157 = {
                instancePath: instancePath + '/log/body_bytes',
                schemaPath: '#/properties/log/properties/body_bytes/maximum',
                keyword: 'maximum',
                params: { comparison: '<=', limit: 1048576 },
              };
              if (vErrors === null) {
                vErrors = [err157];
              } else {
                vErrors.push(err157);
              }
              errors++;
            }
            if (data83 < 1 || isNaN(data83)) {
              const err158 = {
                instancePath: instancePath + '/log/body_bytes',
                schemaPath: '#/properties/log/properties/body_bytes/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err158];
              } else {
                vErrors.push(err158);
              }
              errors++;
            }
          }
        }
        if (data81.redact !== undefined) {
          let data84 = data81.redact;
          if (Array.isArray(data84)) {
            if (data84.length > 64) {
              const err159 = {
                instancePath: instancePath + '/log/redact',
                schemaPath: '#/properties/log/properties/redact/maxItems',
                keyword: 'maxItems',
                params: { limit: 64 },
              };
              if (vErrors === null) {
                vErrors = [err159];
              } else {
                vErrors.push(err159);
              }
              errors++;
            }
            const len3 = data84.length;
            for (let i3 = 0; i3 < len3; i3++) {
              let data85 = data84[i3];
              if (typeof data85 === 'string') {
                if (!pattern15.test(data85)) {
                  const err160 = {
                    instancePath: instancePath + '/log/redact/' + i3,
                    schemaPath: '#/properties/log/properties/redact/items/pattern',
                    keyword: 'pattern',
                    params: { pattern: '^(/[^/]*)+$' },
                  };
                  if (vErrors === null) {
                    vErrors = [err160];
                  } else {
                    vErrors.push(err160);
                  }
                  errors++;
                }
              } else {
                const err161 = {
                  instancePath: instancePath + '/log/redact/' + i3,
                  schemaPath: '#/properties/log/properties/redact/items/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err161];
                } else {
                  vErrors.push(err161);
                }
                errors++;
              }
            }
          } else {
            const err162 = {
              instancePath: instancePath + '/log/redact',
              schemaPath: '#/properties/log/properties/redact/type',
              keyword: 'type',
              params: { type: 'array' },
            };
            if (vErrors === null) {
              vErrors = [err162];
            } else {
              vErrors.push(err162);
            }
            errors++;
          }
        }
        if (data81.headers !== undefined) {
          let data86 = data81.headers;
          if (Array.isArray(data86)) {
            if (data86.length > 64) {
              const err163 = {
                instancePath: instancePath + '/log/headers',
                schemaPath: '#/properties/log/properties/headers/maxItems',
                keyword: 'maxItems',
                params: { limit: 64 },
              };
              if (vErrors === null) {
                vErrors = [err163];
              } else {
                vErrors.push(err163);
              }
              errors++;
            }
            const len4 = data86.length;
            for (let i4 = 0; i4 < len4; i4++) {
              let data87 = data86[i4];
              if (typeof data87 === 'string') {
                if (!pattern16.test(data87)) {
                  const err164 = {
                    instancePath: instancePath + '/log/headers/' + i4,
                    schemaPath: '#/properties/log/properties/headers/items/pattern',
                    keyword: 'pattern',
                    params: { pattern: '^[A-Za-z0-9_-]+$' },
                  };
                  if (vErrors === null) {
                    vErrors = [err164];
                  } else {
                    vErrors.push(err164);
                  }
                  errors++;
                }
              } else {
                const err165 = {
                  instancePath: instancePath + '/log/headers/' + i4,
                  schemaPath: '#/properties/log/properties/headers/items/type',
                  keyword: 'type',
                  params: { type: 'string' },
                };
                if (vErrors === null) {
                  vErrors = [err165];
                } else {
                  vErrors.push(err165);
                }
                errors++;
              }
            }
          } else {
            const err166 = {
              instancePath: instancePath + '/log/headers',
              schemaPath: '#/properties/log/properties/headers/type',
              keyword: 'type',
              params: { type: 'array' },
            };
            if (vErrors === null) {
              vErrors = [err166];
            } else {
              vErrors.push(err166);
            }
            errors++;
          }
        }
        if (data81.keep_days !== undefined) {
          let data88 = data81.keep_days;
          if (!(typeof data88 == 'number' && !(data88 % 1) && !isNaN(data88))) {
            const err167 = {
              instancePath: instancePath + '/log/keep_days',
              schemaPath: '#/properties/log/properties/keep_days/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err167];
            } else {
              vErrors.push(err167);
            }
            errors++;
          }
          if (typeof data88 == 'number') {
            if (data88 > 3650 || isNaN(data88)) {
              const err168 = {
                instancePath: instancePath + '/log/keep_days',
                schemaPath: '#/properties/log/properties/keep_days/maximum',
                keyword: 'maximum',
                params: { comparison: '<=', limit: 3650 },
              };
              if (vErrors === null) {
                vErrors = [err168];
              } else {
                vErrors.push(err168);
              }
              errors++;
            }
            if (data88 < 1 || isNaN(data88)) {
              const err169 = {
                instancePath: instancePath + '/log/keep_days',
                schemaPath: '#/properties/log/properties/keep_days/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err169];
              } else {
                vErrors.push(err169);
              }
              errors++;
            }
          }
        }
        if (data81.keep_mb !== undefined) {
          let data89 = data81.keep_mb;
          if (!(typeof data89 == 'number' && !(data89 % 1) && !isNaN(data89))) {
            const err170 = {
              instancePath: instancePath + '/log/keep_mb',
              schemaPath: '#/properties/log/properties/keep_mb/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err170];
            } else {
              vErrors.push(err170);
            }
            errors++;
          }
          if (typeof data89 == 'number') {
            if (data89 > 1048576 || isNaN(data89)) {
              const err171 = {
                instancePath: instancePath + '/log/keep_mb',
                schemaPath: '#/properties/log/properties/keep_mb/maximum',
                keyword: 'maximum',
                params: { comparison: '<=', limit: 1048576 },
              };
              if (vErrors === null) {
                vErrors = [err171];
              } else {
                vErrors.push(err171);
              }
              errors++;
            }
            if (data89 < 8 || isNaN(data89)) {
              const err172 = {
                instancePath: instancePath + '/log/keep_mb',
                schemaPath: '#/properties/log/properties/keep_mb/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 8 },
              };
              if (vErrors === null) {
                vErrors = [err172];
              } else {
                vErrors.push(err172);
              }
              errors++;
            }
          }
        }
      }
    }
    if (data.limits !== undefined) {
      let data90 = data.limits;
      if (data90 && typeof data90 == 'object' && !Array.isArray(data90)) {
        for (const key22 in data90) {
          if (
            !(
              key22 === 'header_bytes' ||
              key22 === 'config_bytes' ||
              key22 === 'body_bytes' ||
              key22 === 'bodies_bytes' ||
              key22 === 'answer_bytes' ||
              key22 === 'idle_ms' ||
              key22 === 'drain_ms' ||
              key22 === 'drain_delay_ms'
            )
          ) {
            const err173 = {
              instancePath: instancePath + '/limits',
              schemaPath: '#/properties/limits/additionalProperties',
              keyword: 'additionalProperties',
              params: { additionalProperty: key22 },
            };
            if (vErrors === null) {
              vErrors = [err173];
            } else {
              vErrors.push(err173);
            }
            errors++;
          }
        }
        if (data90.header_bytes !== undefined) {
          let data91 = data90.header_bytes;
          if (!(typeof data91 == 'number' && !(data91 % 1) && !isNaN(data91))) {
            const err174 = {
              instancePath: instancePath + '/limits/header_bytes',
              schemaPath: '#/properties/limits/properties/header_bytes/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err174];
            } else {
              vErrors.push(err174);
            }
            errors++;
          }
          if (typeof data91 == 'number') {
            if (data91 < 1 || isNaN(data91)) {
              const err175 = {
                instancePath: instancePath + '/limits/header_bytes',
                schemaPath: '#/properties/limits/properties/header_bytes/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err175];
              } else {
                vErrors.push(err175);
              }
              errors++;
            }
          }
        }
        if (data90.config_bytes !== undefined) {
          let data92 = data90.config_bytes;
          if (!(typeof data92 == 'number' && !(data92 % 1) && !isNaN(data92))) {
            const err176 = {
              instancePath: instancePath + '/limits/config_bytes',
              schemaPath: '#/properties/limits/properties/config_bytes/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err176];
            } else {
              vErrors.push(err176);
            }
            errors++;
          }
          if (typeof data92 == 'number') {
            if (data92 < 1 || isNaN(data92)) {
              const err177 = {
                instancePath: instancePath + '/limits/config_bytes',
                schemaPath: '#/properties/limits/properties/config_bytes/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err177];
              } else {
                vErrors.push(err177);
              }
              errors++;
            }
          }
        }
        if (data90.body_bytes !== undefined) {
          let data93 = data90.body_bytes;
          if (!(typeof data93 == 'number' && !(data93 % 1) && !isNaN(data93))) {
            const err178 = {
              instancePath: instancePath + '/limits/body_bytes',
              schemaPath: '#/properties/limits/properties/body_bytes/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err178];
            } else {
              vErrors.push(err178);
            }
            errors++;
          }
          if (typeof data93 == 'number') {
            if (data93 < 1 || isNaN(data93)) {
              const err179 = {
                instancePath: instancePath + '/limits/body_bytes',
                schemaPath: '#/properties/limits/properties/body_bytes/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err179];
              } else {
                vErrors.push(err179);
              }
              errors++;
            }
          }
        }
        if (data90.bodies_bytes !== undefined) {
          let data94 = data90.bodies_bytes;
          if (!(typeof data94 == 'number' && !(data94 % 1) && !isNaN(data94))) {
            const err180 = {
              instancePath: instancePath + '/limits/bodies_bytes',
              schemaPath: '#/properties/limits/properties/bodies_bytes/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err180];
            } else {
              vErrors.push(err180);
            }
            errors++;
          }
          if (typeof data94 == 'number') {
            if (data94 < 1 || isNaN(data94)) {
              const err181 = {
                instancePath: instancePath + '/limits/bodies_bytes',
                schemaPath: '#/properties/limits/properties/bodies_bytes/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err181];
              } else {
                vErrors.push(err181);
              }
              errors++;
            }
          }
        }
        if (data90.answer_bytes !== undefined) {
          let data95 = data90.answer_bytes;
          if (!(typeof data95 == 'number' && !(data95 % 1) && !isNaN(data95))) {
            const err182 = {
              instancePath: instancePath + '/limits/answer_bytes',
              schemaPath: '#/properties/limits/properties/answer_bytes/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err182];
            } else {
              vErrors.push(err182);
            }
            errors++;
          }
          if (typeof data95 == 'number') {
            if (data95 < 1 || isNaN(data95)) {
              const err183 = {
                instancePath: instancePath + '/limits/answer_bytes',
                schemaPath: '#/properties/limits/properties/answer_bytes/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err183];
              } else {
                vErrors.push(err183);
              }
              errors++;
            }
          }
        }
        if (data90.idle_ms !== undefined) {
          let data96 = data90.idle_ms;
          if (!(typeof data96 == 'number' && !(data96 % 1) && !isNaN(data96))) {
            const err184 = {
              instancePath: instancePath + '/limits/idle_ms',
              schemaPath: '#/properties/limits/properties/idle_ms/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err184];
            } else {
              vErrors.push(err184);
            }
            errors++;
          }
          if (typeof data96 == 'number') {
            if (data96 < 1 || isNaN(data96)) {
              const err185 = {
                instancePath: instancePath + '/limits/idle_ms',
                schemaPath: '#/properties/limits/properties/idle_ms/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err185];
              } else {
                vErrors.push(err185);
              }
              errors++;
            }
          }
        }
        if (data90.drain_ms !== undefined) {
          let data97 = data90.drain_ms;
          if (!(typeof data97 == 'number' && !(data97 % 1) && !isNaN(data97))) {
            const err186 = {
              instancePath: instancePath + '/limits/drain_ms',
              schemaPath: '#/properties/limits/properties/drain_ms/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err186];
            } else {
              vErrors.push(err186);
            }
            errors++;
          }
          if (typeof data97 == 'number') {
            if (data97 < 1 || isNaN(data97)) {
              const err187 = {
                instancePath: instancePath + '/limits/drain_ms',
                schemaPath: '#/properties/limits/properties/drain_ms/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 1 },
              };
              if (vErrors === null) {
                vErrors = [err187];
              } else {
                vErrors.push(err187);
              }
              errors++;
            }
          }
        }
        if (data90.drain_delay_ms !== undefined) {
          let data98 = data90.drain_delay_ms;
          if (!(typeof data98 == 'number' && !(data98 % 1) && !isNaN(data98))) {
            const err188 = {
              instancePath: instancePath + '/limits/drain_delay_ms',
              schemaPath: '#/properties/limits/properties/drain_delay_ms/type',
              keyword: 'type',
              params: { type: 'integer' },
            };
            if (vErrors === null) {
              vErrors = [err188];
            } else {
              vErrors.push(err188);
            }
            errors++;
          }
          if (typeof data98 == 'number') {
            if (data98 < 0 || isNaN(data98)) {
              const err189 = {
                instancePath: instancePath + '/limits/drain_delay_ms',
                schemaPath: '#/properties/limits/properties/drain_delay_ms/minimum',
                keyword: 'minimum',
                params: { comparison: '>=', limit: 0 },
              };
              if (vErrors === null) {
                vErrors = [err189];
              } else {
                vErrors.push(err189);
              }
              errors++;
            }
          }
        }
      } else {
        const err190 = {
          instancePath: instancePath + '/limits',
          schemaPath: '#/properties/limits/type',
          keyword: 'type',
          params: { type: 'object' },
        };
        if (vErrors === null) {
          vErrors = [err190];
        } else {
          vErrors.push(err190);
        }
        errors++;
      }
    }
  } else {
    const err191 = { instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'object' } };
    if (vErrors === null) {
      vErrors = [err191];
    } else {
      vErrors.push(err191);
    }
    errors++;
  }
  validate21.errors = vErrors;
  return errors === 0;
}

const closedPlace = closedPlaceFinder(Object.keys(gatewayFileKeys));

/** What is wrong with the shape of a value; nothing where it fits. */
export const validateGatewayFile: (value: unknown) => readonly ShapeError[] = (value) =>
  validate21(value)
    ? []
    : validate21.errors.map((error) =>
        error.keyword === 'additionalProperties'
          ? { ...error, schemaPath: closedPlace(error.instancePath) ?? '' }
          : error,
      );
