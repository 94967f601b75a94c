/**
 * Holds the document against the recommended rules of Redocly and of Spectral, installed in a folder that is taken away:
 * `node test/api/clients/lint.ts`. Exits with 1 where one of them finds anything.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { withDocument } from './documented-gateway.ts';

// Together they are some 230 packages, which nothing else of this project needs.
const packages = ['@redocly/cli@2', '@stoplight/spectral-cli@6'];

/**
 * `/prompts/partials/{id}` beside `/prompts/{id}/versions` and its like: both are paths of the API that this gateway serves, and
 * no document of them could avoid the finding. The rule compares the templates alone, so that neither a pattern of the
 * parameter nor its words help, and does not know that a segment which is written out counts before a parameter, as OpenAPI
 * says: https://spec.openapis.org/oas/v3.1.1.html#path-templating-matching. The gateway matches so, too.
 */
const ignored = `openapi.json:
  no-ambiguous-paths:
    - '#/paths/~1prompts~1partials~1{id}'
`;

interface Findings {
  readonly problems: readonly { readonly ruleId: string; readonly message: string }[];
}

await withDocument(async ({ folder, run }) => {
  writeFileSync(path.join(folder, '.redocly.lint-ignore.yaml'), ignored);
  writeFileSync(path.join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  await run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages);
  const { problems }: Findings = JSON.parse(await run('npx', 'redocly', 'lint', 'openapi.json', '--format=json'));
  const found = problems.filter((each) => !('ignored' in each && each.ignored === true));
  process.stdout.write(`Redocly: ${found.length} findings.\n`);
  if (found.length > 0) throw new Error(JSON.stringify(found, null, 2));
  const spectral = await run('npx', 'spectral', 'lint', '-r', 'spectral.yaml', '--fail-severity=hint', 'openapi.json');
  process.stdout.write(`Spectral: ${spectral}`);
});
