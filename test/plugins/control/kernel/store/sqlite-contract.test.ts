import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe } from 'vitest';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import { testStore } from './store-contract.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'gw-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a store in an SQLite file', () => {
  testStore({ open: () => openStore({ url: path.join(folder, 'gateway.db'), serving: false }), notifies: false });
});
