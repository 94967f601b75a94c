import type { Resource } from '../../kernel/resource/api-command.ts';
import { furtherMembers, settingsFlags } from '../../kernel/resource/flags.ts';

/** `gw organisation`: the organisation of the key. */
export const organisation: Resource = {
  name: 'organisation',
  headline: 'Show and change the settings of the organisation.',
  summary: 'Show your organisation, and change its settings.',
  commands: {
    get: {
      summary: 'Shows the organisation and its settings.',
      route: 'GET /organisation',
      shows: { as: 'record' },
    },
    update: {
      summary: 'Changes the organisation; what is not given stays.',
      route: 'PUT /organisation',
      file: { name: 'FILE', optional: true },
      flags: settingsFlags,
      shows: { as: 'said', text: 'The organisation {name} is changed.' },
      notes: furtherMembers('"settings" with "jwt"'),
    },
  },
};
