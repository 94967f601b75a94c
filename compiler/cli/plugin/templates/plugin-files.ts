import { cacheFiles } from './cache-files.ts';
import { dialectFiles } from './dialect-files.ts';
import { guardrailFiles } from './guardrail-files.ts';
import { loggerFiles } from './logger-files.ts';
import { type KindFiles, type NewPlugin, type PluginKind, pluginKinds } from './plugin-kind.ts';
import { policyFiles } from './policy-files.ts';
import { providerFiles } from './provider-files.ts';
import { sinkFiles } from './sink-files.ts';

const filesByKind: { readonly [Kind in PluginKind]: (plugin: NewPlugin) => KindFiles } = {
  provider: providerFiles,
  dialect: dialectFiles,
  guardrail: guardrailFiles,
  cache: cacheFiles,
  policy: policyFiles,
  logger: loggerFiles,
  sink: sinkFiles,
};

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const manifest = ({ name, kind, gatewright, sdk }: NewPlugin, { hooks = [], hosts = [] }: KindFiles): object => ({
  name,
  version: '0.1.0',
  description: `A plugin for Gatewright that ${pluginKinds[kind]}.`,
  keywords: ['gatewright-plugin'],
  license: 'MIT',
  type: 'module',
  engines: { node: '>=22.19' },
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  files: ['dist', '!dist/*.test.*'],
  gatewright: { sdk: `^${sdk}`, permissions: { hosts, environment: [], hooks } },
  scripts: {
    build: 'tsc',
    test: 'npm run build && node --test "dist/*.test.js"',
    prepack: 'npm run build',
  },
  peerDependencies: { gatewright: `^${gatewright}` },
  devDependencies: { '@types/node': '^24.0.0', gatewright: `^${gatewright}`, typescript: '^7.0.0' },
});

/** Node runs no TypeScript in node_modules, so the package ships the compiled code. */
const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  declaration: true,
  skipLibCheck: true,
  rootDir: 'src',
  outDir: 'dist',
};

const exported: { readonly [Kind in PluginKind]: string } = {
  provider: 'provider',
  dialect: 'dialect',
  guardrail: 'guardrail',
  cache: 'cache',
  policy: 'applyPolicy',
  logger: 'applyLogger',
  sink: 'sink',
};

const index = (
  { name, kind }: NewPlugin,
  { index: members }: KindFiles,
): string => `import { definePlugin, type Plugin } from 'gatewright/sdk';
import { ${exported[kind]} } from './${kind}.js';

const plugin: Plugin = definePlugin({
  name: '${name}',
  ${members},
});

export default plugin;
`;

const readme = ({ name, kind }: NewPlugin, { use }: KindFiles): string => `# ${name}

A plugin for [Gatewright](https://www.npmjs.com/package/gatewright) that ${pluginKinds[kind]}. Name it in the gateway file:

\`\`\`json
${JSON.stringify({ plugins: [{ package: name }] }, null, 2)}
\`\`\`

${use.text}

\`\`\`json
${JSON.stringify(use.json, null, 2)}
\`\`\`

\`\`\`sh
npm install   # the SDK, its test kit and TypeScript
npm test      # builds it, and runs its tests
npm pack      # makes the package
npx gw plugin verify .
\`\`\`

What it may do is declared in package.json, under \`gatewright.permissions\`: the hosts that it calls, the environment
variables that it reads, the hooks that it taps. \`gw plugin list\` shows them to operators.
`;

/** Returns all files of a new plugin, by their paths in its folder. */
export const pluginFiles = (plugin: NewPlugin): ReadonlyMap<string, string> => {
  const { kind } = plugin;
  const files = filesByKind[kind](plugin);
  return new Map([
    ['package.json', jsonText(manifest(plugin, files))],
    ['tsconfig.json', jsonText({ compilerOptions, include: ['src'] })],
    ['.gitignore', 'node_modules/\ndist/\n'],
    ['README.md', readme(plugin, files)],
    ['src/index.ts', index(plugin, files)],
    [`src/${kind}.ts`, files.source],
    [`src/${kind}.test.ts`, files.test],
  ]);
};
