/** The release that this stand-in imitates, as the real one names itself. */
export const BUILD = {
  version: 'v8.5.5',
  gitHash: '9c9a8c8a25684b3516e11bc92922df99302c9c46',
  builtAt: '2025-12-23 07:43:40',
  deployPath: '/pd-server/bin',
  etcdServer: '3.5.15',
  etcdCluster: '3.5.0',
} as const;
