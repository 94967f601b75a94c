import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  crowdedFolders,
  folderCircles,
  importCircles,
  mayImport,
  otherFiles,
  relativeImports,
  sources,
} from '../tools/check/boundaries.ts';

describe('the import rules', () => {
  it('hold for every import of the sources', () => {
    const imports = relativeImports();
    expect(imports.length).toBeGreaterThan(50);
    expect(imports.filter((each) => !mayImport(each))).toEqual([]);
  });

  it.each([
    ['runtime/engine/gateway.ts', 'compiler/compile.ts'],
    ['compiler/compile.ts', 'runtime/engine/gateway.ts'],
    ['plugins/host/load.ts', 'runtime/engine/gateway.ts'],
    ['runtime/engine/gateway.ts', 'plugins/builtin.ts'],
    ['schema/plan/plan.ts', 'plugins/sdk/http/http.ts'],
    ['plugins/sdk/hooks/hooks.ts', 'plugins/builtin.ts'],
    ['runtime/engine/gateway.ts', 'tools/check/boundaries.ts'],
    ['runtime/engine/gateway.ts', 'gw.ts'],
    ['compiler/cli/check.ts', 'gw/commands.ts'],
  ])('forbid %s → %s', (file, target) => {
    expect(mayImport({ file, target })).toBe(false);
  });

  it.each([
    ['gw.ts', 'gw/commands.ts'],
    ['gw/serve-compiler.ts', 'compiler/compile.ts'],
    ['runtime/engine/gateway.ts', 'plugins/sdk/hooks/hooks.ts'],
    ['plugins/sdk/hooks/hooks.ts', 'schema/plan/plan.ts'],
  ])('allow %s to import %s', (file, target) => {
    expect(mayImport({ file, target })).toBe(true);
  });

  it.each([
    ['compiler/diagnostics/reporter.ts', 'compiler/parse/config-document.ts'],
    ['compiler/resolve/tree/ir-node.ts', 'compiler/lower/lower.ts'],
    ['compiler/lower/plan-name.ts', 'compiler/compile-options.ts'],
    ['compiler/optimise/rewrite-plan.ts', 'compiler/cli/command-line/services.ts'],
    ['runtime/file-plans/generations.ts', 'runtime/server/service.ts'],
    ['runtime/engine/nodes/leaf.ts', 'runtime/engine/link.ts'],
    ['runtime/engine/target/translation.ts', 'runtime/engine/attempt/attempt.ts'],
    ['runtime/http/exchange/http-exchange.ts', 'runtime/plan-choice/plan-chooser.ts'],
    ['plugins/guardrails/text/contains.ts', 'plugins/providers/openai-like/openai.ts'],
    ['plugins/dialects/builtin-dialects.ts', 'plugins/builtin.ts'],
    ['plugins/dialects/shared/json/defined.ts', 'plugins/dialects/shared/answer/json-frame.ts'],
    ['plugins/dialects/chat/parts/errors.ts', 'plugins/dialects/gemini/parts/errors.ts'],
    ['plugins/dialects/cohere/parts/citations.ts', 'plugins/dialects/cohere/request/tools.ts'],
    ['plugins/dialects/gemini/request/tools.ts', 'plugins/dialects/gemini/answer/classify.ts'],
    ['plugins/providers/azure-ai/azure-ai.ts', 'plugins/providers/anthropic.ts'],
    ['plugins/providers/auth/sign-v4.ts', 'plugins/providers/openai-like/openai.ts'],
    ['plugins/control/kernel/limits/own-limits.ts', 'plugins/control/access/keys/key-parts.ts'],
    ['plugins/control/access/keys/new-key.ts', 'plugins/control/catalog/guardrails/saved-guardrails.ts'],
    ['plugins/control/catalog/configs/config-store.ts', 'plugins/control/resources.ts'],
    ['plugins/control/metering/ledger/open-ledger.ts', 'plugins/control/work/files/files.ts'],
    ['plugins/control/logs/open-log.ts', 'plugins/control/open-control.ts'],
    ['plugins/control/cli/control-commands.ts', 'plugins/control/open-control.ts'],
    ['schema/json/json.ts', 'schema/generated/config.ts'],
  ])('forbid %s → %s inside a layer', (file, target) => {
    expect(mayImport({ file, target })).toBe(false);
    if (!file.startsWith('plugins/guardrails/')) expect(mayImport({ file: target, target: file })).toBe(true);
  });
});

describe('node:http', () => {
  it('is imported only for its types, because it loads a copy of undici: node-http.ts has what is needed', () => {
    const root = path.join(import.meta.dirname, '..');
    const files = globSync('{compiler,gw,plugins,runtime,schema}/**/*.ts', { cwd: root });
    expect(files.length).toBeGreaterThan(1000);
    const loads = /^import (?!type )[^;]*from 'node:http';|await import\('node:http'\)/m;
    expect(files.filter((file) => loads.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
  });
});

describe('import cycles', () => {
  it('do not exist in the sources', () => {
    expect(importCircles(relativeImports())).toEqual([]);
  });

  it('do not exist between folders', () => {
    expect(folderCircles(relativeImports())).toEqual([]);
  });

  it('are found between folders, whichever files in them close one', () => {
    const imports = [
      { file: 'a/b/one.ts', target: 'a/c/d/two.ts' },
      { file: 'a/c/three.ts', target: 'a/four.ts' },
      { file: 'a/four.ts', target: 'a/b/five.ts' },
      { file: 'a/b/six.ts', target: 'e/seven.ts' },
    ];
    expect(folderCircles(imports)).toEqual([['a/.', 'a/b/', 'a/c/']]);
    expect(folderCircles(imports.slice(1))).toEqual([]);
  });

  it('are found across any number of files', () => {
    const imports = [
      { file: 'a.ts', target: 'b.ts' },
      { file: 'b.ts', target: 'c.ts' },
      { file: 'c.ts', target: 'a.ts' },
      { file: 'c.ts', target: 'd.ts' },
    ];
    expect(importCircles(imports)).toEqual([['a.ts', 'b.ts', 'c.ts']]);
    expect(importCircles(imports.slice(1))).toEqual([]);
  });
});

describe('folders', () => {
  it('have no more files than a reader can look through', () => {
    expect(crowdedFolders([...sources(), ...otherFiles()])).toEqual([]);
  });

  it('are crowded only by their own files', () => {
    const files = Array.from({ length: 25 }, (_, at) => `x/${at}.ts`);
    expect(crowdedFolders([...files, 'x/y/more.ts'])).toEqual([]);
    expect(crowdedFolders([...files, 'x/more.ts'])).toEqual(['x/']);
  });
});
