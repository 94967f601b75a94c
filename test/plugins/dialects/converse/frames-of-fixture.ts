import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { fixture } from '../support/fixture.ts';

/** Returns the frames of a fixture in which each line is an event name and a payload. Exceptions get their header. */
export const framesOfFixture = (name: string): readonly Frame[] =>
  fixture(name)
    .trim()
    .split('\n')
    .map((line) => {
      const [event = ''] = line.split(' ', 1);
      const frame = { event, data: line.slice(event.length + 1) };
      return event.endsWith('Exception') ? { ...frame, headers: { ':message-type': 'exception' } } : frame;
    });
