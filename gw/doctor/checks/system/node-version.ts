import { readFileSync } from 'node:fs';
import path from 'node:path';
import { satisfies } from 'semver';
import { ownFolder } from '../../../../plugins/host/loading/own-version.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Check, Finding } from '../../set-up/finding.ts';

/** Checks a version of Node against the range of this package. */
export const nodeFindings = (version: string, range: string): readonly Finding[] =>
  satisfies(version, range, { includePrerelease: true })
    ? []
    : [
        {
          severity: 'error',
          subject: 'Node',
          what: `This is Node ${version}; the gateway needs ${range}.`,
          remedy: 'Install a newer one: https://nodejs.org',
        },
      ];

export const nodeVersion: Check = {
  id: 'node-version',
  description: 'the version of Node',
  needsNoFile: true,
  run() {
    const { engines } = fromJson(readFileSync(path.join(ownFolder, 'package.json'), 'utf8'));
    return nodeFindings(process.versions.node, engines.node);
  },
};
