import type { JsonObject } from '../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { Split } from '../../../../sdk/framings/framing.ts';
import { sse } from '../../../../sdk/framings/sse.ts';
import type { StreamBody, StreamEnd } from '../../../../sdk/http/http.ts';
import { toBuffer } from '../../../../sdk/http/to-buffer.ts';

/** Reads the events of a stream that are JSON; resolves when it has ended. */
export const readEvents = (body: StreamBody, take: (event: JsonObject) => void): Promise<StreamEnd> =>
  new Promise((resolve) => {
    const splitter = sse.createSplitter();
    const pass = ({ frames }: Split): void => {
      for (const { data } of frames) {
        const event = parseObject(data);
        if (event !== undefined) take(event);
      }
    };
    body.start({
      write: (chunk) => {
        pass(splitter.push(toBuffer(chunk)));
        return true;
      },
      onDrain: () => {},
      end: () => {
        pass(splitter.rest());
        resolve('complete');
      },
      fail: () => resolve('failed'),
    });
    body.onEnd((end) => {
      if (end !== 'complete') resolve(end);
    });
  });
