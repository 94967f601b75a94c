import type { PluginCode } from '../finding-code.ts';
import type { FindingExplanation } from './finding-explanation.ts';

/** Plugins that the gateway file names but that cannot be used. */
export const pluginExplanations: { readonly [Code in PluginCode]: FindingExplanation } = {
  'plugin-not-found': {
    severity: 'error',
    text: 'The plugin "…" was not found.',
    cause:
      'An entry of "plugins" names a file that does not exist, or a package that is not installed beside the gateway file.',
    remedy:
      'Install the package in the folder of the gateway file, or correct the path, which is relative to that folder.',
    example: {
      wrong: ['{ "plugins": [{ "package": "./not-there.ts" }] }'],
      right: ['{ "plugins": [] }'],
    },
  },
  'plugin-failed': {
    severity: 'error',
    text: 'The plugin "…" failed to load: …',
    cause: "The plugin's own code threw an error, or its process ended, before the gateway could use it.",
    remedy:
      'Correct the plugin as the message says, or install another version of it. `gw plugin verify` runs it without a gateway.',
  },
  'not-a-plugin': {
    severity: 'error',
    text: 'The package "…" does not export a plugin: …',
    cause: 'The module was loaded, but its default export is not what definePlugin returns.',
    remedy: 'Export the plugin as the default export of the module: `export default definePlugin({ … })`.',
  },
  'wrong-plugin-api': {
    severity: 'error',
    text: 'The plugin "…" requires plugin API …, but this gateway has API ….',
    cause: 'The plugin was built for another version of the interface between plugins and the gateway.',
    remedy: 'Install a version of the plugin for the API of this gateway.',
  },
  'wrong-plugin-options': {
    severity: 'error',
    text: 'The options of the plugin "…" are not valid: …',
    cause: 'The member "options" of its entry does not have the form that the plugin declares.',
    remedy: 'Correct the member that the message names; the documentation of the plugin lists its options.',
  },
  'wrong-sdk-range': {
    severity: 'error',
    text: 'The plugin "…" requires … in the range …, but this is version ….',
    cause:
      'The package.json of the plugin names a range of versions that this gateway is not in, or a text that is no range.',
    remedy: 'Install a version of the plugin for this gateway, or a gateway in its range.',
  },
  'wrong-permissions': {
    severity: 'error',
    text: 'The permissions of the plugin "…" are not valid: …',
    cause:
      'The plugin declares what it needs, such as hosts and environment variables, in a form that the gateway cannot read.',
    remedy: 'Correct "gatewright.permissions" in its package.json, or "permissions" in definePlugin.',
  },
  'not-isolable': {
    severity: 'error',
    text: 'The plugin "…" cannot run in a process of its own, or has a limit that only such a process can have.',
    cause:
      'Isolated plugins run in processes of their own, and some features do not work there: the message says which one this plugin uses. The limit "memory_mb" applies only to such a process.',
    remedy: 'Remove "isolate" from its entry if you trust the plugin, or add "isolate": true if you want the limit.',
  },
  'duplicate-name': {
    severity: 'error',
    text: 'Two plugins, or two sinks of the log, have the same name.',
    cause:
      'Everything that plugins provide is referred to by its name, and so are the sinks of "log". A second one with the same name could never be used.',
    remedy: 'Give each sink its own "name". If two plugins provide the same name, remove one of them.',
    example: {
      wrong: [
        '{',
        '  "log": {',
        '    "sinks": [',
        '      { "sink": "webhook", "name": "audit", "url": "https://a.example.com/records" },',
        '      { "sink": "webhook", "name": "audit", "url": "https://b.example.com/records" }',
        '    ]',
        '  }',
        '}',
      ],
      right: [
        '{',
        '  "log": {',
        '    "sinks": [',
        '      { "sink": "webhook", "name": "audit", "url": "https://a.example.com/records" },',
        '      { "sink": "webhook", "name": "usage", "url": "https://b.example.com/records" }',
        '    ]',
        '  }',
        '}',
      ],
    },
  },
};
