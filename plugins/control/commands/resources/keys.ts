import { said, showRecord, showSaid, showTable } from '../show/show.ts';
import { pagingFlags, type Resource } from './resource.ts';

/** `gw keys`: service keys. */
export const keys: Resource = {
  name: 'keys',
  summary: 'Make, list, rotate and revoke service keys.',
  commands: {
    list: {
      summary: 'Lists the service keys, without the keys themselves.',
      route: 'GET /api-keys',
      flags: {
        ...pagingFlags,
        status: {
          form: 'text',
          in: 'query',
          member: 'status',
          choices: ['active', 'exhausted', 'revoked'],
          describe: 'Only keys with this status.',
        },
        of: {
          form: 'text',
          in: 'query',
          member: 'workspace_id',
          value: 'WORKSPACE',
          describe: 'Only keys of the workspace with this id or slug.',
        },
      },
      show: showTable([
        { head: 'ID', member: 'id' },
        { head: 'NAME', member: 'name' },
        { head: 'KEY', member: 'key' },
        { head: 'KIND', member: 'kind' },
        { head: 'STATUS', member: 'status' },
        { head: 'EXPIRES', member: 'expires_at', kind: 'time' },
        { head: 'SCOPES', member: 'scopes' },
      ]),
    },
    get: {
      summary: 'Shows a service key, without the key itself.',
      route: 'GET /api-keys/{id}',
      show: showRecord({ times: ['created_at', 'last_updated_at', 'expires_at', 'key_transition_expires_at'] }),
    },
    create: {
      summary: 'Makes a service key, which is shown once.',
      route: 'POST /api-keys',
      flags: {
        name: { form: 'text', in: 'body', member: 'name', value: 'NAME', describe: 'What the key is called.' },
        scopes: {
          form: 'list',
          in: 'body',
          member: 'scopes',
          value: 'A,B',
          describe: 'What the key may do: completions.write,prompts.render',
        },
        kind: {
          form: 'text',
          in: 'body',
          member: 'kind',
          choices: ['workspace-service', 'workspace-user', 'organisation'],
          describe: 'Of whom the key is; workspace-service by default.',
        },
        user: {
          form: 'text',
          in: 'body',
          member: 'user_id',
          value: 'ID',
          describe: 'The user of a workspace-user key.',
        },
        expires: {
          form: 'time',
          in: 'body',
          member: 'expires_at',
          value: 'TIME',
          describe: 'Until when it is accepted: 2030-01-31T12:00:00Z.',
        },
      },
      file: { name: 'FILE', optional: true },
      show: (answer) => ({
        out: `${said(answer, 'key')}\n`,
        note: `This key (${said(answer, 'id')}) is not shown again.`,
      }),
      notes: [
        'FILE has further members of the request as JSON, such as "defaults"; flags replace those of the file. The key alone is',
        'on standard output.',
        '',
        'gw keys create --admin --store FILE|URL makes an admin key without a gateway, for whoever has lost theirs.',
      ].join('\n'),
    },
    rotate: {
      summary: 'Makes a new text for a key; the text before is accepted for a while.',
      route: 'POST /api-keys/{id}/rotate',
      flags: {
        transition: {
          form: 'duration',
          in: 'body',
          member: 'key_transition_period_ms',
          value: 'TIME',
          describe: 'For how long the key before is accepted: 30m (at least, and by default), 2h, 7d.',
        },
      },
      show: (answer) => ({
        out: `${said(answer, 'key')}\n`,
        note: `This key (${said(answer, 'id')}) is not shown again.`,
      }),
    },
    revoke: {
      summary: 'Revokes a key, which is final.',
      route: 'DELETE /api-keys/{id}',
      show: showSaid((_, [id]) => `The key ${id} is revoked. Gateways refuse it within a second.`),
    },
  },
};
