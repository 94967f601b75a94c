import type { MemberFlags, Resource } from '../engine/api-command.ts';
import { pagingFlags } from './flags.ts';

const members: MemberFlags = {
  name: { value: 'NAME', describe: 'What references have behind the @: production.' },
  description: { value: 'TEXT', none: 'none', describe: 'A text for people.' },
  colour: { value: '#RRGGBB', none: 'none', describe: 'Its colour for people.' },
};

/** `gw prompts labels`: what versions of prompts are named by. */
export const labels: Resource = {
  name: 'prompts labels',
  summary: 'Make labels: a prompt with a labelled version is named SLUG@LABEL.',
  commands: {
    list: {
      summary: 'Lists the labels.',
      route: 'GET /labels',
      flags: pagingFlags,
      shows: {
        as: 'table',
        columns: { NAME: 'name', DESCRIPTION: 'description', COLOUR: 'colour', ID: 'id' },
      },
    },
    get: { summary: 'Shows a label.', route: 'GET /labels/{name}', shows: { as: 'record' } },
    create: {
      summary: 'Makes a label.',
      route: 'POST /labels',
      flags: members,
      shows: {
        as: 'said',
        text: 'The label {name} is made. Give it with gw prompts label SLUG --label {name} --version N',
      },
    },
    update: {
      summary: 'Changes a label; what is not given stays. Who names it must use its new name.',
      route: 'PUT /labels/{name}',
      flags: members,
      shows: { as: 'said', text: 'The label {name} is changed.' },
    },
    delete: {
      summary: 'Deletes a label, and takes it from all versions.',
      route: 'DELETE /labels/{name}',
      shows: { as: 'said', text: 'The label {name} is deleted.' },
    },
  },
};
