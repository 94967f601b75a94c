/**
 * `npm run sbom`, which also runs before each `npm pack`: writes the bill of materials and the licences of the packages that the
 * gateway runs with, from the lockfile. It prints nothing, because `npm pack` prints the name of the package's file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundledPackages, consolePackages } from '../../tools/build/build-package.ts';
import { directDependencies, root } from '../support/locked-packages.ts';
import { cycloneDx } from './cyclonedx.ts';
import { licenceTexts } from './licence-texts.ts';
import { productionPackages } from './production-packages.ts';

const own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const packages = productionPackages();
const { needed, optional, peers } = directDependencies();
const bom = cycloneDx(own, packages, [...needed, ...bundledPackages, ...consolePackages, ...optional, ...peers]);
writeFileSync(path.join(root, 'sbom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`);
writeFileSync(
  path.join(root, 'THIRD_PARTY_LICENSES.txt'),
  licenceTexts(packages, 'The packages that Gatewright can run with, and their licences.'),
);
