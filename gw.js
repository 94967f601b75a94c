#!/usr/bin/env node
// Plain JavaScript of an old kind: an old Node must be able to read it to say what is wrong.
const needed = [22, 19];
const [major, minor] = process.versions.node.split('.').map(Number);

const start = async () => {
  const { enableCompileCache } = await import('node:module');
  const { existsSync } = await import('node:fs');
  const { setFlagsFromString } = await import('node:v8');
  // V8 would allocate what all requests allocate in its old generation, and then keep whole requests there until it is
  // collected: a quarter of a request's cost. Before the cache, whose files are of one set of flags.
  setFlagsFromString('--no-allocation-site-pretenuring');
  enableCompileCache();
  // A checkout runs its sources as they are; the package has only what was built of them.
  const source = new URL('./gw.ts', import.meta.url);
  const built = new URL('./dist/gw.js', import.meta.url);
  const { main, end } = await import((existsSync(source) ? source : built).href);
  end(await main(process.argv.slice(2)));
};

if (major > needed[0] || (major === needed[0] && minor >= needed[1])) start();
else {
  process.stderr.write(
    `Gatewright needs Node ${needed.join('.')} or newer, and this is Node ${process.versions.node}. Install a newer one: https://nodejs.org\n`,
  );
  process.exitCode = 1;
}
