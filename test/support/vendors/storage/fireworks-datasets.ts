import type { UpstreamCall } from '../../upstream-server.ts';
import type { VendorRoute } from '../vendor-routes.ts';

export interface Dataset {
  readonly displayName: string | undefined;
  /** The form that was uploaded. */
  upload?: { readonly contentType: string; readonly body: Buffer };
}

const missing = (call: UpstreamCall): void =>
  call.json({ code: 5, message: 'Not found.', details: [] }, { status: 404 });

/** The data sets of an account, as `accounts/ours`: https://docs.fireworks.ai/api-reference/create-dataset */
export const fireworksDatasets = (
  account: string,
): { readonly datasets: ReadonlyMap<string, Dataset>; readonly routes: readonly VendorRoute[] } => {
  const datasets = new Map<string, Dataset>();
  const path = `/v1/${account}/datasets`;
  const shown = (id: string, { displayName, upload }: Dataset): object => ({
    ...{ name: `${account}/datasets/${id}`, displayName, createTime: '2026-09-21T13:33:20Z', userUploaded: {} },
    ...{ state: upload === undefined ? 'UPLOADING' : 'READY', status: { code: 'OK', message: '' }, exampleCount: '0' },
  });
  const one =
    (run: (call: UpstreamCall, id: string, dataset: Dataset) => void) =>
    (call: UpstreamCall, [id = '']: readonly string[]): void => {
      const dataset = datasets.get(id);
      if (dataset === undefined) missing(call);
      else run(call, id, dataset);
    };
  return {
    datasets,
    routes: [
      [
        'POST',
        new RegExp(`^${path}$`),
        (call) => {
          const { datasetId, dataset } = call.request.json();
          datasets.set(datasetId, { displayName: dataset.displayName });
          call.json(shown(datasetId, dataset));
        },
      ],
      [
        'POST',
        new RegExp(`^${path}/([^/:]+):upload$`),
        one((call, _, dataset) => {
          dataset.upload = { contentType: call.request.header('content-type') ?? '', body: call.request.body };
          call.json({});
        }),
      ],
      ['GET', new RegExp(`^${path}/([^/:]+)$`), one((call, id, dataset) => call.json(shown(id, dataset)))],
      [
        'DELETE',
        new RegExp(`^${path}/([^/:]+)$`),
        one((call, id) => {
          datasets.delete(id);
          call.json({});
        }),
      ],
    ],
  };
};
