const commands = (version: string): readonly string[] => [
  `npx --yes gatewright@${version} check configs --max-warnings 0`,
  `npx --yes gatewright@${version} test --min-coverage 80 --format junit > routes.xml`,
];

/** Returns a GitHub Actions workflow that checks configs and runs route tests. */
export const githubWorkflow = (version: string): string => `name: gatewright
on: [push, pull_request]
permissions:
  contents: read
jobs:
  configs:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
${commands(version)
  .map((command) => `      - run: ${command}\n`)
  .join('')}`;

/** Returns a GitLab pipeline that does the same, and shows the tests beside a merge request. */
export const gitlabPipeline = (version: string): string => `configs:
  image: node:24
  script:
${commands(version)
  .map((command) => `    - ${command}\n`)
  .join('')}  artifacts:
    when: always
    reports:
      junit: routes.xml
`;
