import type { FindingCode } from '../finding-code.ts';
import type { FindingExplanation } from './finding-explanation.ts';
import { gatewayFileExplanations } from './gateway-file-explanations.ts';
import { pluginExplanations } from './plugin-explanations.ts';

/** One for every finding that no check of a config makes. They are loaded when somebody asks for one. */
export const findingExplanations: { readonly [Code in FindingCode]: FindingExplanation } = {
  ...gatewayFileExplanations,
  ...pluginExplanations,
  'same-name': {
    severity: 'error',
    text: 'The config … also has the name "…", and a gateway serves only one config of a name.',
    cause:
      'Two files of one folder say the same "name", or have it themselves: a config without "name" has that of its file.',
    remedy: 'Give one of them another "name". Where neither says one, rename or remove one of the files.',
  },
  'unreadable-file': {
    severity: 'error',
    text: 'A file of a config cannot be read.',
    cause: 'The file is a folder, is too large, may not be read by this user, or is no text.',
    remedy: 'Correct what the message says, or name other files.',
  },
  'unread-name': {
    severity: 'warning',
    text: 'The saved name "…" was not checked: the gateway could not be asked for it.',
    cause: 'A config names what a store of a gateway has, and that gateway did not answer, or not with all of it.',
    remedy:
      'Start the gateway, and correct GW_URL, GW_API_KEY or --profile. It is an error where the name has to be known.',
  },
  'optional-label': {
    severity: 'warning',
    text: 'Requests may lack the label "…": this policy neither counts nor refuses those without it.',
    cause: 'A policy groups by a label of "metadata", and a request without it belongs to none of its groups.',
    remedy:
      'Give the label `"required": true` and `"enforce": true` under "metadata" of the gateway file: requests without it are then refused. Or name its values in a condition of the policy.',
  },
};
