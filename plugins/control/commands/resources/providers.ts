import type { Resource } from '../engine/api-command.ts';
import { destinationCommands } from './destination-commands.ts';

/** `gw providers`: saved providers. */
export const providers: Resource = {
  name: 'providers',
  headline: 'Save providers and their credentials.',
  summary: 'Save providers and their credentials on a gateway; configs name them as @SLUG.',
  commands: {
    ...destinationCommands({
      path: '/providers',
      what: 'provider',
      named: 'configs name it @{slug}',
      columns: { NOTE: 'note' },
      created: {
        integration: {
          member: 'integration_id',
          value: 'SLUG',
          describe: 'The integration of the organisation whose credential it uses.',
        },
      },
    }),
    price: {
      summary: 'Shows the public price of a model, in US cents for one unit.',
      route: 'GET /model-configs/pricing/{provider}/{model}',
      shows: { as: 'json' },
    },
  },
};
