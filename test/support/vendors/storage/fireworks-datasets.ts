import type { UpstreamCall } from '../../servers/upstream-server.ts';
import type { VendorRoute } from '../vendor-routes.ts';
import { bucketObjects } from './bucket-objects.ts';

export interface Dataset {
  readonly displayName: string | undefined;
  /** The uploaded form, if there was one. */
  form?: { readonly contentType: string; readonly body: Buffer };
  /** The number of bytes for which its signed address is valid. */
  signedFor?: number;
  isReady: boolean;
  /** How often the validation of its upload will still be rejected. */
  unfinished: number;
}

const missing = (call: UpstreamCall): void =>
  call.json({ code: 5, message: 'Not found.', details: [] }, { status: 404 });

const bucket = 'fireworks-datasets';
const signature = 'X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Signature=5afe%2Bsigned';

const fileIn = (id: string): string => `${id}/lines.jsonl`;

/** A display name for a data set whose files are not assembled immediately. */
export const slowName = 'slow.jsonl';

/**
 * Simulates the data sets of an account, such as `accounts/ours`, with their files at signed addresses:
 * https://docs.fireworks.ai/api-reference/create-dataset
 */
export const fireworksDatasets = (
  account: string,
): {
  readonly datasets: ReadonlyMap<string, Dataset>;
  /** Returns the bytes that were sent to a signed address. */
  findFile(id: string): string | undefined;
  readonly routes: readonly VendorRoute[];
} => {
  const datasets = new Map<string, Dataset>();
  const path = `/v1/${account}/datasets`;
  const isSigned = ({ request }: UpstreamCall): boolean =>
    request.header('authorization') === undefined && request.path.endsWith(`?${signature}`);
  const isAllowed = (call: UpstreamCall): boolean => {
    const { request } = call;
    if (!isSigned(call)) return false;
    if (request.method !== 'PUT') return true;
    const size = datasets.get(request.path.split('/')[2] ?? '')?.signedFor;
    return (
      request.header('content-type') === 'application/octet-stream' &&
      request.header('x-goog-content-length-range') === `${size},${size}` &&
      request.body.length === size
    );
  };
  const { objects, routes: storage } = bucketObjects(bucket, isAllowed);
  const shown = (id: string, { displayName, isReady }: Dataset): object => ({
    ...{ name: `${account}/datasets/${id}`, displayName, createTime: '2026-09-21T13:33:20Z', userUploaded: {} },
    ...{ state: isReady ? 'READY' : 'UPLOADING', status: { code: 'OK', message: '' }, exampleCount: '0' },
  });
  const one =
    (run: (call: UpstreamCall, id: string, dataset: Dataset) => void) =>
    (call: UpstreamCall, [id = '']: readonly string[]): void => {
      const dataset = datasets.get(id);
      if (dataset === undefined) missing(call);
      else run(call, id, dataset);
    };
  const toAddress = (call: UpstreamCall, id: string): object => ({
    filenameToSignedUrls: {
      'lines.jsonl': `http://${call.request.header('host')}/${bucket}/${fileIn(id)}?${signature}`,
    },
  });
  return {
    datasets,
    findFile: (id) => objects.get(fileIn(id)),
    routes: [
      ...storage,
      [
        'POST',
        new RegExp(`^${path}$`),
        (call) => {
          const { datasetId, dataset } = call.request.json();
          const { displayName } = dataset;
          datasets.set(datasetId, { displayName, isReady: false, unfinished: displayName === slowName ? 1 : 0 });
          call.json(shown(datasetId, { displayName, isReady: false, unfinished: 0 }));
        },
      ],
      [
        'POST',
        new RegExp(`^${path}/([^/:]+):upload$`),
        one((call, _, dataset) => {
          dataset.form = { contentType: call.request.header('content-type') ?? '', body: call.request.body };
          dataset.isReady = true;
          call.json({});
        }),
      ],
      [
        'POST',
        new RegExp(`^${path}/([^/:]+):getUploadEndpoint$`),
        one((call, id, dataset) => {
          dataset.signedFor = Number(call.request.json().filenameToSize['lines.jsonl']);
          call.json(toAddress(call, id));
        }),
      ],
      [
        'POST',
        new RegExp(`^${path}/([^/:]+):validateUpload$`),
        one((call, id, dataset) => {
          dataset.unfinished -= 1;
          if (dataset.unfinished >= 0 || !objects.has(fileIn(id)))
            return call.json({ code: 9, message: 'The upload is not finalized.', details: [] }, { status: 400 });
          dataset.isReady = true;
          call.json({});
        }),
      ],
      ['GET', new RegExp(`^${path}/([^/:]+):getDownloadEndpoint$`), one((call, id) => call.json(toAddress(call, id)))],
      ['GET', new RegExp(`^${path}/([^/:]+)$`), one((call, id, dataset) => call.json(shown(id, dataset)))],
      [
        'DELETE',
        new RegExp(`^${path}/([^/:]+)$`),
        one((call, id) => {
          datasets.delete(id);
          objects.delete(fileIn(id));
          call.json({});
        }),
      ],
    ],
  };
};
