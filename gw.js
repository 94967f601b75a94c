#!/usr/bin/env node
// Plain JavaScript of an old kind: an old Node must be able to read it to say what is wrong.
const needed = [22, 19];
const [major, minor] = process.versions.node.split('.').map(Number);

// An import of the gateway's own code says where the file is. Node would ask the file system for each of hundreds, and for the
// type of its package in every folder above it: a third of what a checkout's start takes, and a fifth of the package's.
const nameModules = (registerHooks, { folders, ending, format }) => {
  const root = new URL('./', import.meta.url).href;
  const own = folders.map((name) => root + name);
  registerHooks({
    resolve(specifier, context, next) {
      const isOwn = specifier.startsWith('.') && specifier.endsWith(ending);
      if (!isOwn || !own.some((start) => context.parentURL?.startsWith(start))) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true };
    },
  });
};

const sources = {
  folders: ['compiler/', 'gw.ts', 'gw/', 'plugins/', 'runtime/', 'schema/'],
  ending: '.ts',
  format: 'module-typescript',
};
const builtModules = { folders: ['dist/'], ending: '.js', format: 'module' };

// Modules of Node that a gateway loads before it listens, and that most commands load.
const nodeModules = [
  'assert',
  'cluster',
  'crypto',
  'dgram',
  'dns',
  'fs/promises',
  'http',
  'http2',
  'net',
  'perf_hooks',
  'stream/consumers',
  'tls',
  'tty',
  'worker_threads',
  'zlib',
];

const start = async () => {
  const { enableCompileCache, registerHooks } = await import('node:module');
  const { existsSync } = await import('node:fs');
  const { setFlagsFromString } = await import('node:v8');
  // Once V8's flags differ from those that Node was built with, it compiles Node's own modules anew: a tenth of a start's CPU time.
  const isCommand = /^[a-z]/.test(process.argv[2] ?? '');
  if (isCommand) for (const name of nodeModules) process.getBuiltinModule(name);
  // V8 would allocate what all requests allocate in its old generation, and then keep whole requests there until it is
  // collected: a quarter of a request's cost. Before the cache, whose files are of one set of flags.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // V8 would free what its second compiler has used when another thread has time for that. Under load none has, and tens of
  // megabytes pile up that the process never gives back.
  setFlagsFromString('--no-maglev-destroy-on-background');
  // Nor does it forget code that nobody has used for a while: the first second after that would cost twice the CPU time.
  setFlagsFromString('--no-flush-bytecode');
  // A request runs through hundreds of small functions, and V8 compiles at most 920 bytes of others into each of them. With more, a
  // request costs a tenth less.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=4500');
  setFlagsFromString('--max-inlined-bytecode-size=1000');
  // This thread has the nursery that the command line says (npm start) already. It is not meant for all others, of which
  // some say what they need.
  setFlagsFromString('--max-semi-space-size=0');
  enableCompileCache();
  // A checkout runs its sources as they are; the package has only what was built of them.
  const source = new URL('./gw.ts', import.meta.url);
  const built = new URL('./dist/gw.js', import.meta.url);
  const isCheckout = existsSync(source);
  nameModules(registerHooks, isCheckout ? sources : builtModules);
  const { runProcess } = await import((isCheckout ? source : built).href);
  await runProcess(process.argv.slice(2));
};

if (major > needed[0] || (major === needed[0] && minor >= needed[1])) start();
else {
  process.stderr.write(
    `Gatewright needs Node ${needed.join('.')} or newer, and this is Node ${process.versions.node}. Install a newer one: https://nodejs.org\n`,
  );
  process.exitCode = 1;
}
