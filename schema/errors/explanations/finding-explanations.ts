import type { FindingCode } from '../finding-code.ts';
import type { FindingExplanation } from './finding-explanation.ts';
import { gatewayFileExplanations } from './gateway-file-explanations.ts';
import { pluginExplanations } from './plugin-explanations.ts';

/** The explanations of all findings that no check of a config makes. Loaded on demand. */
export const findingExplanations: { readonly [Code in FindingCode]: FindingExplanation } = {
  ...gatewayFileExplanations,
  ...pluginExplanations,
  'same-name': {
    severity: 'error',
    text: 'The config … also has the name "…", but a gateway serves only one config of a name.',
    cause:
      'Two files of one folder say the same "name", or have it themselves: a config without "name" has that of its file.',
    remedy: 'Give one of them another "name". Where neither says one, rename or remove one of the files.',
  },
  'unreadable-file': {
    severity: 'error',
    text: 'A config file cannot be read.',
    cause: 'The file is a folder, is too large, is not readable by this user, or is not text.',
    remedy: 'Correct what the message reports, or name other files.',
  },
  'unread-name': {
    severity: 'warning',
    text: 'The saved name "…" was not checked: it could not be looked up at the gateway.',
    cause: 'A config names what a store of a gateway has, and that gateway did not answer, or not with all of it.',
    remedy:
      'Start the gateway, and correct GW_URL, GW_API_KEY or --profile. If the name has to be known, this is an error.',
  },
  'optional-label': {
    severity: 'warning',
    text: 'Requests may lack the label "…": this policy neither counts nor refuses those without it.',
    cause: 'A policy groups by a label of "metadata". A request without the label belongs to none of its groups.',
    remedy:
      'Set `"required": true` and `"enforce": true` for the label under "metadata" in the gateway file: requests without it are then refused. Or name its values in a condition of the policy.',
  },
};
