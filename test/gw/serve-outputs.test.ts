import { openSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileStream } from '../../gw/serve-outputs.ts';
import { boundedOutput } from '../../runtime/server/logs/bounded-output.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';
import { lawRuns } from '../support/run/law-runs.ts';

/** Creates a file on a disk that has room for some more bytes. */
const fullDisk = () => {
  const written: Buffer[] = [];
  const disk = { room: 0, text: () => Buffer.concat(written).toString() };
  const write = (_fd: number, bytes: Uint8Array): number => {
    const taken = Math.min(disk.room, bytes.length);
    if (taken === 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    disk.room -= taken;
    written.push(Buffer.from(bytes.subarray(0, taken)));
    return taken;
  };
  return { disk, write };
};

const parsed = (line: string): { readonly n?: number; readonly dropped?: number } | undefined => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a stream to a file', () => {
  it('writes to the file at once', () => {
    const file = `${temporaryFolder()}/log`;
    fileStream({ fd: openSync(file, 'w') }).write('one\n');
    expect(readFileSync(file, 'utf8')).toBe('one\n');
  });

  it('begins a new line after a text that did not fit', async () => {
    const { disk, write } = fullDisk();
    const output = boundedOutput({ stream: fileStream({ fd: 1, write }), lost: (count) => `{"dropped":${count}}\n` });
    disk.room = 12;
    for (const n of [1, 2]) output.write(`{"n":${n}}\n`);
    disk.room = 100;
    output.write('{"n":3}\n');
    await turn();
    expect(disk.text()).toBe('{"n":1}\n{"n"\n{"n":3}\n{"dropped":1}\n');
  });

  it('gets each text whole or counts it as dropped, whenever the disk is full', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.record({ room: fc.nat(40), texts: fc.nat(4) }), { maxLength: 8 }), async (steps) => {
        const { disk, write } = fullDisk();
        const lost = (count: number): string => `{"dropped":${count}}\n`;
        const output = boundedOutput({ stream: fileStream({ fd: 1, write }), lost });
        let total = 0;
        const put = (): void => output.write(`{"n":${total++}}\n`);
        for (const { room, texts } of [...steps, { room: 1000, texts: 1 }]) {
          disk.room = room;
          for (let at = 0; at < texts; at += 1) put();
          await turn();
        }
        const lines = disk.text().split('\n').filter(Boolean);
        const known = lines.map(parsed);
        const whole = known.flatMap((line) => line?.n ?? []);
        const dropped = known.reduce((sum, line) => sum + (line?.dropped ?? 0), 0);
        expect(whole).toEqual([...new Set(whole)]);
        expect(whole.at(-1)).toBe(total - 1);
        expect(whole.length + dropped).toBeGreaterThanOrEqual(total);
        expect(dropped).toBeGreaterThanOrEqual(output.dropped());
      }),
      lawRuns,
    ));
});
