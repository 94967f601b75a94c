import type { JsonObject } from '../../../schema/json/json.ts';

const text: JsonObject = { type: 'string' };

/** The body of every error of the control plane. */
export const errorSchema: JsonObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { ...text, description: 'What is wrong, and what to do.' },
        type: text,
        param: { anyOf: [text, { type: 'null' }], description: 'The first member that is wrong.' },
        code: text,
        errors: {
          type: 'array',
          description: 'Everything that is wrong with the request.',
          items: {
            type: 'object',
            required: ['pointer', 'message', 'hint'],
            properties: {
              in: { type: 'string', enum: ['path', 'query', 'header'], description: 'The body if absent.' },
              pointer: { ...text, description: 'A JSON pointer (RFC 6901).' },
              message: text,
              hint: text,
              code: { ...text, description: "The compiler's code for this problem in a config." },
              line: { type: 'integer', description: 'The line in a text that is a template, counted from 1.' },
              column: { type: 'integer', description: 'The column in that line, counted from 1.' },
              place: {
                ...text,
                description: 'The string that they belong to in the JSON of that text, as a JSON pointer.',
              },
            },
          },
        },
        diagnostics: {
          type: 'array',
          description: 'What is wrong with a config.',
          items: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
};
