import { scopeTable } from '../../kernel/requests/scopes.ts';
import type { Display, MemberFlags, Resource } from '../../kernel/resource/api-command.ts';
import {
  expiresFlag,
  furtherMembers,
  nameFlag,
  newExpiryFlag,
  searchFlags,
  settingsFlags,
} from '../../kernel/resource/flags.ts';

/** `gw organisation`: the organisation of the key. */
export const organisation: Resource = {
  name: 'organisation',
  headline: 'Show and change the settings of the organisation.',
  summary: 'Show your organisation, and update its settings.',
  commands: {
    get: {
      summary: 'Shows the organisation and its settings.',
      route: 'GET /organisation',
      shows: { as: 'record' },
    },
    update: {
      summary: 'Updates the organisation; omitted flags leave their values unchanged.',
      route: 'PUT /organisation',
      file: { name: 'FILE', optional: true },
      flags: settingsFlags,
      shows: { as: 'said', text: 'The organisation {name} was updated.' },
      notes: furtherMembers('"settings" with "jwt"'),
    },
  },
};

const newKey: Extract<Display, { readonly as: 'member' }> = {
  as: 'member',
  member: 'key',
  note: 'This key ({id}) is not shown again.',
};

const changing: MemberFlags = {
  name: nameFlag,
  scopes: { form: 'list', value: 'A,B', describe: 'What the key may do: completions.write,prompts.render' },
};

const fileNotes = furtherMembers('"defaults"');

const scopeNotes = [
  'Scopes:',
  ...Object.entries(scopeTable).map(([name, verbs]) => `  ${verbs.map((verb) => `${name}.${verb}`).join(',')}`),
].join('\n');

/** `gw keys`: service keys. */
export const keys: Resource = {
  name: 'keys',
  headline: 'Create, rotate and revoke service keys.',
  summary: 'Create, list, update, rotate and revoke service keys.',
  commands: {
    list: {
      summary: 'Lists the service keys, without the keys themselves.',
      route: 'GET /api-keys',
      flags: {
        ...searchFlags('keys', ['name']),
        status: {
          in: 'query',
          choices: ['active', 'exhausted', 'expired', 'revoked'],
          describe: 'Only keys with this status.',
        },
        of: {
          in: 'query',
          known: { saved: '/workspaces' },
          member: 'workspace_id',
          value: 'WORKSPACE',
          describe: 'Only keys of the workspace with this id or slug.',
        },
      },
      shows: {
        as: 'table',
        columns: {
          ...{ ID: 'id', NAME: 'name', KEY: 'key', KIND: 'kind', STATUS: 'status' },
          ...{ EXPIRES: 'expires_at', SCOPES: 'scopes' },
        },
      },
    },
    get: {
      summary: 'Shows a service key, without the key itself.',
      route: 'GET /api-keys/{id}',
      shows: { as: 'record' },
    },
    current: {
      summary: 'Shows the reach and the scopes of your key.',
      route: 'GET /caller',
      shows: { as: 'record' },
    },
    create: {
      summary: 'Creates a service key, which is shown only once.',
      route: 'POST /api-keys',
      flags: {
        ...changing,
        kind: {
          choices: ['workspace-service', 'workspace-user', 'organisation'],
          describe: "The kind of the key's owner; workspace-service by default.",
        },
        user: { member: 'user_id', value: 'ID', describe: 'The user of a workspace-user key.' },
        expires: expiresFlag,
      },
      file: { name: 'FILE', optional: true },
      shows: newKey,
      notes: [
        fileNotes,
        '',
        'Only the key is printed to standard output.',
        '',
        'gw keys create --admin --store FILE|URL creates an admin key without a gateway, to replace a lost one.',
        '',
        scopeNotes,
      ].join('\n'),
    },
    update: {
      summary: 'Updates a service key; omitted flags leave their values unchanged.',
      route: 'PUT /api-keys/{id}',
      flags: { ...changing, expires: newExpiryFlag },
      file: { name: 'FILE', optional: true },
      shows: { as: 'said', text: 'The key {id} was updated. Gateways apply it within a second.' },
      notes: fileNotes,
    },
    rotate: {
      summary: 'Replaces the secret of a key; the old one stays valid for a while.',
      route: 'POST /api-keys/{id}/rotate',
      flags: {
        transition: {
          form: 'duration',
          member: 'key_transition_period_ms',
          value: 'TIME',
          describe: 'How long the old secret stays valid: 30m (the minimum and the default), 2h, 7d.',
        },
      },
      shows: {
        ...newKey,
        note: `${newKey.note} The old key stays valid until {key_transition_expires_at}.`,
      },
      notes:
        'Do not rotate a leaked key, but create another one and revoke it: gw keys revoke ID takes effect within a second.',
    },
    revoke: {
      summary: 'Revokes a key. This cannot be undone.',
      route: 'DELETE /api-keys/{id}',
      shows: { as: 'said', text: 'The key {id} was revoked. Gateways refuse it within a second.' },
    },
  },
};
